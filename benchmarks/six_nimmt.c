/* 6 nimmt! as a tight C program: the limit that the compiled twin is measured against.

   An engine, not a trick: a state that can be copied, functions to choose a legal move, to apply one, to
   deal and to score, every card's place kept, any number of seats.  Plays random games and prints
   decisions and seconds.  Usage: six_nimmt SEATS GAMES SEED */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CARDS = 104, MOST_SEATS = 10, ROWS = 4, HAND = 10, FULL_AT = 6, LIMIT = 66, TAKE_ROW = 104 };
enum phase { DEALING, LAYING, TAKING, OVER };

typedef struct { uint64_t word[2]; } cards;

typedef struct {
    cards hand[MOST_SEATS], taken[MOST_SEATS], row[ROWS], laid;
    int32_t points[MOST_SEATS];
    int16_t heads_taken[MOST_SEATS], row_heads[ROWS], row_end[ROWS];
    uint8_t row_length[ROWS], owner[CARDS + 1], seats, phase, actor;
} state;

static uint8_t heads[CARDS + 1];
static uint64_t rng;

static int below(int n) {
    rng ^= rng >> 12;
    rng ^= rng << 25;
    rng ^= rng >> 27;
    return (int)(((rng * 0x2545F4914F6CDD1DULL >> 32) * (uint64_t)n) >> 32);
}

static void add(cards *set, int card) { set->word[card >> 6] |= 1ULL << (card & 63); }
static void drop(cards *set, int card) { set->word[card >> 6] &= ~(1ULL << (card & 63)); }
static int is_empty(const cards *set) { return !(set->word[0] | set->word[1]); }

static int lowest(const cards *set) {
    return set->word[0] ? __builtin_ctzll(set->word[0]) : 64 + __builtin_ctzll(set->word[1]);
}

/* The n-th lowest card of a set, without a branch where the processor has an instruction for it. */
static int nth(const cards *set, int n) {
    int in_low = __builtin_popcountll(set->word[0]), half = n >= in_low;
    uint64_t word = set->word[half];
    n -= half ? in_low : 0;
#ifdef __BMI2__
    return (half << 6) + __builtin_ctzll(__builtin_ia32_pdep_di(1ULL << n, word));
#else
    while (n--) word &= word - 1;
    return (half << 6) + __builtin_ctzll(word);
#endif
}

/* One of the legal moves, each as likely as the others. */
static int random_legal(const state *s) {
    if (s->phase == TAKING) return TAKE_ROW + 1 + below(ROWS);
    const cards *hand = &s->hand[s->actor];
    return nth(hand, below(__builtin_popcountll(hand->word[0]) + __builtin_popcountll(hand->word[1])));
}

static void start_row(state *s, int row, int card) {
    s->row[row].word[0] = s->row[row].word[1] = 0;
    add(&s->row[row], card);
    s->row_heads[row] = heads[card];
    s->row_end[row] = card;
    s->row_length[row] = 1;
}

static void deal(state *s) {
    uint8_t deck[CARDS];
    int at = 0, dealt = HAND * s->seats + ROWS;
    for (int i = 0; i < CARDS; i++) deck[i] = i + 1;
    for (int i = 0; i < dealt; i++) {
        int j = i + below(CARDS - i);
        uint8_t card = deck[i];
        deck[i] = deck[j];
        deck[j] = card;
    }
    memset(s->hand, 0, sizeof s->hand);
    memset(s->taken, 0, sizeof s->taken);
    memset(s->heads_taken, 0, sizeof s->heads_taken);
    for (int seat = 0; seat < s->seats; seat++)
        for (int i = 0; i < HAND; i++) add(&s->hand[seat], deck[at++]);
    for (int row = 0; row < ROWS; row++) start_row(s, row, deck[at++]);
    s->phase = LAYING;
    s->actor = 0;
}

static int row_for(const state *s, int card) {
    int nearest = -1, nearest_end = 0;
    for (int row = 0; row < ROWS; row++)
        if (nearest_end < s->row_end[row] && s->row_end[row] < card)
            nearest = row, nearest_end = s->row_end[row];
    return nearest;
}

static void take(state *s, int seat, int row, int card) {
    s->taken[seat].word[0] |= s->row[row].word[0];
    s->taken[seat].word[1] |= s->row[row].word[1];
    s->heads_taken[seat] += s->row_heads[row];
    start_row(s, row, card);
}

static void end_turn(state *s) {
    s->phase = LAYING;
    s->actor = 0;
    if (!is_empty(&s->hand[0])) return;
    s->phase = DEALING;
    for (int seat = 0; seat < s->seats; seat++) {
        s->points[seat] += s->heads_taken[seat];
        if (s->points[seat] >= LIMIT) s->phase = OVER;
    }
}

static void place_laid_cards(state *s) {
    while (!is_empty(&s->laid)) {
        int card = lowest(&s->laid), row = row_for(s, card);
        if (row < 0) {
            s->phase = TAKING;
            s->actor = s->owner[card];
            return;
        }
        drop(&s->laid, card);
        if (s->row_length[row] + 1 == FULL_AT) {
            take(s, s->owner[card], row, card);
        } else {
            add(&s->row[row], card);
            s->row_length[row]++;
            s->row_end[row] = card;
            s->row_heads[row] += heads[card];
        }
    }
    end_turn(s);
}

static void apply(state *s, int move) {
    if (s->phase == TAKING) {
        int card = lowest(&s->laid);
        drop(&s->laid, card);
        take(s, s->actor, move - TAKE_ROW - 1, card);
    } else {
        drop(&s->hand[s->actor], move);
        add(&s->laid, move);
        s->owner[move] = s->actor;
        if (++s->actor < s->seats) return;
    }
    place_laid_cards(s);
}

int main(int argc, char **argv) {
    if (argc != 4) return fprintf(stderr, "usage: six_nimmt SEATS GAMES SEED\n"), 2;
    int seats = atoi(argv[1]), games = atoi(argv[2]);
    for (int card = 1; card <= CARDS; card++)
        heads[card] = card == 55 ? 7 : card % 11 == 0 ? 5 : card % 10 == 0 ? 3 : card % 5 == 0 ? 2 : 1;
    long decisions = 0, points = 0;
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (int game = 0; game < games; game++) {
        rng = (strtoull(argv[3], 0, 10) + game) * 0x9E3779B97F4A7C15ULL | 1;
        state s = {.seats = seats};
        while (s.phase != OVER) {
            if (s.phase == DEALING) {
                deal(&s);
                continue;
            }
            apply(&s, random_legal(&s));
            decisions++;
        }
        for (int seat = 0; seat < seats; seat++) points += s.points[seat];
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    double seconds = (end.tv_sec - start.tv_sec) + (end.tv_nsec - start.tv_nsec) / 1e9;
    printf("%ld %.6f %ld\n", decisions, seconds, points);
    return 0;
}
