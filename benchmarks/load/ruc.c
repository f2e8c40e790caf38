/* Load for a server of Chinese checkers over JSON lines: ruc PORT ROOMS PLAYERS SECONDS

   Everybody steps one piece out and back. A move counts when all in the room have the START_TURN
   that follows it; its latency runs from MOVE sent to the last of them. The first second is not
   counted. Prints one JSON object. */
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
    int fd, length, moved;
    char unread[8192];
} Player;

typedef struct {
    int told;
    double sent; /* 0 before the first move */
} Room;

static Player *players;
static Room *rooms;
static double *latencies;
static long answered, errors;
static int seats;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static void fail(const char *what) {
    fprintf(stderr, "ruc load: %s\n", what);
    exit(1);
}

static void say(int player, const char *line) {
    ssize_t n = strlen(line);
    if (send(players[player].fd, line, n, MSG_NOSIGNAL) != n) fail("cannot send");
}

static void move(int player, int zone) {
    char line[128];
    int from[2] = {-4, 5}, to[2] = {-4, 4}; /* of zone A; each turn of 60 degrees is the next */
    for (int i = 0; i < zone; i++) {
        int x = from[0], u = to[0];
        from[0] += from[1], from[1] = -x;
        to[0] += to[1], to[1] = -u;
    }
    int *here = players[player].moved ? to : from, *there = players[player].moved ? from : to;
    players[player].moved ^= 1;
    snprintf(line, sizeof line, "{\"data1\":\"%c\",\"data2\":\"%d %d %d %d\",\"op\":200007}\n",
             'A' + zone, here[0], here[1], there[0], there[1]);
    rooms[player / seats].sent = now();
    say(player, line);
}

static int seat_of(int zone) {
    return seats == 2 ? zone / 3 : seats == 3 ? zone / 2 : zone;
}

static void hear(int player, const char *line) {
    Room *room = &rooms[player / seats];
    if (strstr(line, "\"op\":200010")) errors++;
    if (!strstr(line, "\"op\":200006")) return;
    if (++room->told < seats) return;
    if (room->sent && answered < LATENCIES) latencies[answered++] = now() - room->sent;
    room->told = 0;
    int zone = line[strlen("{\"data1\":\"")] - 'A';
    if (zone < 0 || zone > 5) fail("bad START_TURN");
    move(player / seats * seats + seat_of(zone), zone);
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

static void join(int port, int epoll, int count) {
    char line[128];
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port)};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    for (int i = 0, on = 1; i < count; i++) {
        int fd = players[i].fd = socket(AF_INET, SOCK_STREAM, 0);
        if (connect(fd, (void *)&to, sizeof to)) fail("cannot connect");
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        snprintf(line, sizeof line, "{\"data1\":\"room%d\",\"data2\":\"p%d\",\"op\":200000}\n",
                 i / seats, i % seats);
        say(i, line);
        if (recv(fd, line, sizeof line, MSG_PEEK) <= 0) fail("no answer to JOIN"); /* keeps the order */
        struct epoll_event event = {.events = EPOLLIN, .data.u32 = i};
        epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
    }
    for (int i = 0; i < count; i++, usleep(200)) say(i, "{\"data1\":\"\",\"data2\":\"\",\"op\":200004}\n");
}

static int compare(const void *a, const void *b) {
    double x = *(double *)a, y = *(double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv) {
    if (argc < 5) fail("usage: ruc PORT ROOMS PLAYERS SECONDS");
    seats = atoi(argv[3]);
    if (seats != 2 && seats != 3 && seats != 6) fail("2, 3 or 6 players");
    int count = atoi(argv[2]) * seats, epoll = epoll_create1(0);
    double seconds = atof(argv[4]);
    players = calloc(count, sizeof *players);
    rooms = calloc(count / seats, sizeof *rooms);
    latencies = malloc(LATENCIES * sizeof *latencies);
    join(atoi(argv[1]), epoll, count);
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
    printf("{\"moves_per_s\": %.0f, \"p50_ms\": %.3f, \"p99_ms\": %.3f, \"errors\": %ld}\n",
           moves / seconds, counted[moves / 2] * 1e3, counted[(long)(moves * .99)] * 1e3, errors);
    return 0;
}
