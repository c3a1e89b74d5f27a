/** Signals by name, without SIG, with Linux' numbers. */
export const SIGNALS = {
  HUP: 1,
  INT: 2,
  QUIT: 3,
  ILL: 4,
  TRAP: 5,
  ABRT: 6,
  BUS: 7,
  FPE: 8,
  KILL: 9,
  USR1: 10,
  SEGV: 11,
  USR2: 12,
  PIPE: 13,
  ALRM: 14,
  TERM: 15,
  CHLD: 17,
  CONT: 18,
  STOP: 19,
  TSTP: 20,
  TTIN: 21,
  TTOU: 22,
  URG: 23,
  WINCH: 28,
} as const;

export type Signal = keyof typeof SIGNALS;

/** What a process does with a signal: the default, nothing, or its program takes it by `takeSignal`. */
export type SignalAction = 'default' | 'ignore' | 'catch';
