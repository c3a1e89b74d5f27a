/** Longest delay of setTimeout: it overflows beyond. */
export const MAX_TIMER_MS = 2 ** 31 - 1;
