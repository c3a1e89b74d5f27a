// Where things are on a developer's machine; everything that a run makes is under .terrarium/.
import path from 'node:path';

export const root = path.join(import.meta.dirname, '../..');
const made = path.join(root, '.terrarium');
/** What the builds of this clone leave for the next one. */
export const inMade = (...names) => path.join(made, ...names);
/** The data of one service: TERRARIUM_HOME lets a second one run from the same clone. */
export const home = path.resolve(root, process.env.TERRARIUM_HOME || made);
export const inHome = (...names) => path.join(home, ...names);

/** An error whose message is the one sentence that the user gets; no stack is printed. */
export class Plain extends Error {}
