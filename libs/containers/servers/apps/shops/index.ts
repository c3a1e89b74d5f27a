import type { Program } from '../../../../engine/kernel/process/program.js';
import { defineApp } from '../app.js';
import { details, productpage, ratings, reviews } from './bookinfo.js';
import { boutique } from './boutique.js';
import { guestbook, guestbookGo } from './guestbook.js';
import { result, vote } from './voting.js';
import { wordpress } from './wordpress.js';

export const programs: Readonly<Record<string, Program>> = Object.fromEntries(
  Object.entries({
    ...{ details, ratings, productpage, guestbook, vote, result, boutique, wordpress, 'guestbook-go': guestbookGo },
    ...{ 'reviews-v1': reviews(1), 'reviews-v2': reviews(2), 'reviews-v3': reviews(3) },
  }).map(([name, app]) => [`apps:${name}`, defineApp(app)]),
);
