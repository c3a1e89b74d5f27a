/** What can be written down: the state of a program between two steps. */
export type Plain = null | boolean | number | string | Plain[] | { [key: string]: Plain };
