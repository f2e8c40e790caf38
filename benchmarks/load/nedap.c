/* Load for a server of Go over text lines: nedap PORT GAMES SECONDS [SIZE=19] [MOVES=120]

   Every pair logs in, plays MOVES legal moves that capture nothing, passes twice and asks for the
   next game. A move counts when both players have its VALID; its latency runs from MOVE sent to
   the later VALID. The first second is not counted. Prints one JSON object. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define LATENCIES 4000000

typedef struct {
    int fd, length, game;
    char unread[8192], name[8];
} Player;

typedef struct {
    int black, white, played, told, ready;
    double sent;
} Game;

static Player *players;
static Game *games; /* by the number of the black player */
static double *latencies;
static long answered, ended, warnings, invalids;
static int count, size = 19, length = 120;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static void fail(const char *what) {
    fprintf(stderr, "nedap load: %s\n", what);
    exit(1);
}

static void say(int player, const char *line) {
    ssize_t n = strlen(line);
    if (send(players[player].fd, line, n, MSG_NOSIGNAL) != n) fail("cannot send");
}

static int named(const char *name) {
    int number = 0, scale = 1;
    for (const char *c = name + 1; *c; c++, scale *= 26) number += (*c - 'a') * scale;
    if (name[0] != 'p' || number < 0 || number >= count) fail("unknown opponent");
    return number;
}

static void name(int number, char *text) {
    *text++ = 'p';
    for (int i = 0; i < 5; i++, number /= 26) *text++ = 'a' + number % 26;
    *text = 0;
}

static void move(Game *game) {
    char line[40];
    int k = game->played / 2, colour = game->played & 1;
    /* Black on every fourth row and white two below: no stone ever touches the other colour. */
    snprintf(line, sizeof line, "MOVE %d %d\n", k % size, 4 * (k / size) + 2 * colour);
    game->told = 0;
    game->sent = now();
    say(colour ? game->white : game->black, game->played < length ? line : "PASS\n");
}

static void ready(int player, const char *rest) {
    char colour[8], opponent[32];
    if (sscanf(rest, "%7s %31s", colour, opponent) != 2) fail("bad READY");
    int other = named(opponent), black = colour[0] == 'b' ? player : other;
    Game *game = &games[black];
    players[player].game = black;
    if (game->ready == 1) {
        game->ready = 2;
        move(game);
    } else {
        *game = (Game){.black = black, .white = black == player ? other : player, .ready = 1};
    }
}

static void told(int player, int valid) {
    Game *game = &games[players[player].game];
    if (++game->told < 2) return;
    if (valid && answered < LATENCIES) latencies[answered++] = now() - game->sent;
    if (++game->played < length + 2) move(game);
}

static void hear(int player, const char *line) {
    char go[24];
    if (!strncmp(line, "READY ", 6)) ready(player, line + 6);
    else if (!strncmp(line, "VALID ", 6)) told(player, 1);
    else if (!strncmp(line, "PASSED ", 7)) told(player, 0);
    else if (!strncmp(line, "WARNING", 7)) warnings++;
    else if (!strncmp(line, "INVALID", 7)) invalids++;
    else if (!strncmp(line, "END ", 4)) {
        ended++;
        games[players[player].game].ready = 0;
        snprintf(go, sizeof go, "GO %d\n", size);
        say(player, go);
    }
}

static void receive(int number) {
    Player *player = &players[number];
    char *line = player->unread, *end;
    int got = recv(player->fd, line + player->length, sizeof player->unread - 1 - player->length, 0);
    if (got <= 0) fail("a connection was closed");
    player->length += got;
    line[player->length] = 0;
    while ((end = strchr(line, '\n'))) {
        *end = 0;
        hear(number, line);
        line = end + 1;
    }
    player->length -= line - player->unread;
    memmove(player->unread, line, player->length);
}

static void join(int port, int epoll) {
    char line[64];
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port)};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    for (int i = 0, on = 1; i < count; i++) {
        int fd = players[i].fd = socket(AF_INET, SOCK_STREAM, 0);
        if (connect(fd, (void *)&to, sizeof to)) fail("cannot connect");
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        struct epoll_event event = {.events = EPOLLIN, .data.u32 = i};
        epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
        name(i, players[i].name);
        snprintf(line, sizeof line, "PLAYER %s\n", players[i].name);
        say(i, line);
    }
    usleep(300000);
    snprintf(line, sizeof line, "GO %d\n", size);
    for (int i = 0; i < count; i++, usleep(200)) say(i, line);
}

static int compare(const void *a, const void *b) {
    double x = *(double *)a, y = *(double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv) {
    if (argc < 4) fail("usage: nedap PORT GAMES SECONDS [SIZE] [MOVES]");
    count = 2 * atoi(argv[2]);
    double seconds = atof(argv[3]);
    if (argc > 4) size = atoi(argv[4]);
    if (argc > 5) length = atoi(argv[5]);
    int most = 2 * size * ((size + 1) / 4);
    if (length > most) length = most;
    players = calloc(count, sizeof *players);
    games = calloc(count, sizeof *games);
    latencies = malloc(LATENCIES * sizeof *latencies);
    int epoll = epoll_create1(0);
    join(atoi(argv[1]), epoll);
    struct epoll_event events[1024];
    double begin = now() + 1, end = begin + seconds, t;
    long before = -1;
    while ((t = now()) < end) {
        if (before < 0 && t >= begin) before = answered;
        int n = epoll_wait(epoll, events, 1024, 200);
        for (int i = 0; i < n; i++) receive(events[i].data.u32);
    }
    long moves = answered - before;
    if (before < 0 || !moves) fail("no moves");
    double *counted = latencies + before;
    qsort(counted, moves, sizeof *counted, compare);
    printf("{\"moves_per_s\": %.0f, \"p50_ms\": %.3f, \"p99_ms\": %.3f, \"max_ms\": %.3f, "
           "\"ended\": %ld, \"warnings\": %ld, \"invalids\": %ld}\n",
           moves / seconds, counted[moves / 2] * 1e3, counted[(long)(moves * .99)] * 1e3,
           counted[moves - 1] * 1e3, ended, warnings, invalids);
    return 0;
}
