import { quoteName } from '../../../sql/tokens.js';
import type { Words } from '../../../sql/words.js';
import { PgFailure } from '../../failure.js';
import { formatQuery } from '../query.js';
import type { Work } from '../work.js';
import { exists } from './grammar.js';

export function createView(words: Words, work: Work): string {
  const replaces = words.take('or', 'replace');
  words.expect('view');
  const name = work.nameOf(words.path());
  const names = words.sees('(') ? words.names() : [];
  words.expect('as');
  const { sql } = formatQuery(words.rest(), 'select', work.known([]));
  if (work.relationExists(name)) {
    if (!replaces) throw exists(name);
    work.change(`DROP VIEW ${quoteName(name)}`);
  }
  // A view of something that is not there is refused now, not when it is read.
  work.sqlite.run(`SELECT * FROM (${sql}) LIMIT 0`);
  const list = names.length > 0 ? ` (${names.map(quoteName).join(', ')})` : '';
  work.change(`CREATE VIEW ${quoteName(name)}${list} AS ${sql}`);
  return 'CREATE VIEW';
}

export function dropViews(words: Words, work: Work): string {
  const isMild = words.take('if', 'exists');
  do {
    const path = words.path();
    const name = work.nameOf(path);
    if (work.relationExists(name) && !work.tables.has(name)) work.change(`DROP VIEW ${quoteName(name)}`);
    else if (!isMild) throw new PgFailure('42P01', `view "${path.at(-1)}" does not exist`);
    else work.notice(`view "${path.at(-1)}" does not exist, skipping`);
  } while (words.take(','));
  words.takeAny(['cascade', 'restrict']);
  return 'DROP VIEW';
}
