import type { RejectWith } from './rule.js';

/** What becomes of a packet at a hook. */
export type Verdict =
  | { readonly type: 'ACCEPT' }
  | { readonly type: 'DROP' }
  | { readonly type: 'REJECT'; readonly with: RejectWith };
