// "Did you mean ...?": finds the candidate closest to a mistyped word.
#ifndef ERG_CLI_SUGGEST_H
#define ERG_CLI_SUGGEST_H

// Starts as {.word = user input}; `best` stays NULL while no candidate is close.
typedef struct cli_guess {
    const char *word;
    const char *best; // points to the candidate
    int         distance;
} cli_guess;

void cli_guess_offer(cli_guess *guess, const char *candidate);

#endif
