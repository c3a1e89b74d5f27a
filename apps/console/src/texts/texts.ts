import { en } from './en.js';

/** The shape of every language's file. */
export type Texts = typeof en;

/** The texts of the page's language. */
export const t: Texts = en;
