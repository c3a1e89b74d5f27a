// Where things are on a developer's machine; everything that a run makes is under .terrarium/.
import path from 'node:path';

export const root = path.join(import.meta.dirname, '../..');
export const home = path.join(root, '.terrarium');
export const inHome = (...names) => path.join(home, ...names);

/** An error whose message is the one sentence that the user gets; no stack is printed. */
export class Plain extends Error {}
