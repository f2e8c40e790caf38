/* Load for the bare relay: relay PORT PAIRS SECONDS. Prints one JSON object.

   Of each pair one sends a MOVE, and when both have its VALID the other one sends the next. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>

#define LATENCIES 4000000

typedef struct {
    int fd[2], turn, told;
    double sent;
} Pair;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static void fail(const char *what) {
    fprintf(stderr, "relay load: %s\n", what);
    exit(1);
}

static int compare(const void *a, const void *b) {
    double x = *(double *)a, y = *(double *)b;
    return (x > y) - (x < y);
}

static void move(Pair *pair) {
    pair->sent = now();
    if (send(pair->fd[pair->turn], "MOVE 3 4\n", 9, MSG_NOSIGNAL) != 9) fail("cannot send");
}

static void join(Pair *pair, int number, int port, int epoll) {
    char greeting[256];
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port)};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    for (int side = 0, on = 1; side < 2; side++) {
        int fd = pair->fd[side] = socket(AF_INET, SOCK_STREAM, 0);
        if (connect(fd, (void *)&to, sizeof to)) fail("cannot connect");
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    }
    for (int side = 0; side < 2; side++) {
        if (recv(pair->fd[side], greeting, sizeof greeting, 0) <= 0) fail("no READY");
        struct epoll_event event = {.events = EPOLLIN, .data.u64 = 2 * number + side};
        epoll_ctl(epoll, EPOLL_CTL_ADD, pair->fd[side], &event);
    }
}

int main(int argc, char **argv) {
    if (argc < 4) fail("usage: relay PORT PAIRS SECONDS");
    int count = atoi(argv[2]), epoll = epoll_create1(0);
    Pair *pairs = calloc(count, sizeof *pairs);
    double *latencies = malloc(LATENCIES * sizeof *latencies);
    for (int i = 0; i < count; i++) join(&pairs[i], i, atoi(argv[1]), epoll);
    double seconds = atof(argv[3]), end = now() + seconds;
    for (int i = 0; i < count; i++) move(&pairs[i]);
    struct epoll_event events[1024];
    char told[4096];
    long moves = 0;
    while (now() < end) {
        int n = epoll_wait(epoll, events, 1024, 100);
        for (int i = 0; i < n; i++) {
            Pair *pair = &pairs[events[i].data.u64 / 2];
            if (recv(pair->fd[events[i].data.u64 & 1], told, sizeof told, 0) <= 0) fail("closed");
            if (++pair->told < 2) continue;
            if (moves < LATENCIES) latencies[moves++] = now() - pair->sent;
            pair->told = 0;
            pair->turn ^= 1;
            move(pair);
        }
    }
    if (!moves) fail("no moves");
    qsort(latencies, moves, sizeof *latencies, compare);
    printf("{\"moves_per_s\": %.0f, \"p50_ms\": %.3f, \"p99_ms\": %.3f}\n", moves / seconds,
           latencies[moves / 2] * 1e3, latencies[(long)(moves * .99)] * 1e3);
    return 0;
}
