import { quoteText } from '../../../sql/tokens.js';
import type { Words } from '../../../sql/words.js';
import { PgFailure } from '../../failure.js';
import type { Work } from '../work.js';
import { exists } from './grammar.js';
import { dropOne } from './tables.js';

export function createSequence(words: Words, work: Work): string {
  const isMild = words.take('if', 'not', 'exists');
  const name = work.nameOf(words.path());
  let [start, step] = [1, 1];
  for (;;) {
    if (words.take('start')) [, start] = [words.take('with'), Number(words.tokens[words.at++]?.text)];
    else if (words.take('increment')) [, step] = [words.take('by'), Number(words.tokens[words.at++]?.text)];
    else if (!takeOption(words)) break;
  }
  if (!words.isAtEnd || !Number.isInteger(start) || !Number.isInteger(step)) words.fail();
  const { rows } = work.sqlite.run(`SELECT 1 FROM tt_sequence WHERE name = ${quoteText(name)}`);
  if (rows.length > 0 || work.relationExists(name)) {
    if (!isMild) throw exists(name);
    work.notice(`relation "${name}" already exists, skipping`, '42P07');
  } else
    work.change(
      `INSERT INTO tt_sequence VALUES (${quoteText(name)}, ${start}, ${step}, 0, ${quoteText(work.user)}, NULL)`,
    );
  return 'CREATE SEQUENCE';
}

/** Bounds and types of sequences: none is reached here. */
function takeOption(words: Words): boolean {
  if (words.take('no', 'minvalue') || words.take('no', 'maxvalue') || words.take('no', 'cycle')) return true;
  const name = words.takeAny(['as', 'cache', 'minvalue', 'maxvalue']);
  if (name !== undefined) words.at++;
  return name !== undefined;
}

/** ALTER SEQUENCE: who owns it, and where it begins again. */
export function alterSequence(words: Words, work: Work): string {
  const isMild = words.take('if', 'exists');
  const name = work.nameOf(words.path());
  const { rows } = work.sqlite.run(`SELECT 1 FROM tt_sequence WHERE name = ${quoteText(name)}`);
  if (rows.length === 0) {
    if (!isMild) throw new PgFailure('42P01', `relation "${name}" does not exist`);
    work.notice(`relation "${name}" does not exist, skipping`);
    return 'ALTER SEQUENCE';
  }
  const where = `WHERE name = ${quoteText(name)}`;
  if (words.take('owner', 'to')) work.change(`UPDATE tt_sequence SET owner = ${quoteText(words.name())} ${where}`);
  else if (words.take('owned', 'by')) words.path();
  else if (words.take('restart')) {
    words.take('with');
    const value = words.isAtEnd ? 1 : Number(words.tokens[words.at++]?.text);
    if (!Number.isInteger(value)) words.fail();
    work.change(`UPDATE tt_sequence SET value = ${value}, called = 0 ${where}`);
  } else if (!takeOption(words)) words.fail();
  return 'ALTER SEQUENCE';
}

export function dropSequence(words: Words, work: Work): string {
  const isMild = words.take('if', 'exists');
  const name = work.nameOf(words.path());
  const { rows } = work.sqlite.run(`SELECT 1 FROM tt_sequence WHERE name = ${quoteText(name)}`);
  if (rows.length > 0) work.change(`DELETE FROM tt_sequence WHERE name = ${quoteText(name)}`);
  else if (!isMild) throw new PgFailure('42P01', `sequence "${name}" does not exist`);
  else work.notice(`sequence "${name}" does not exist, skipping`);
  return 'DROP SEQUENCE';
}

export function createSchema(words: Words, work: Work): string {
  const isMild = words.take('if', 'not', 'exists');
  const name = words.take('authorization') ? words.name() : words.name();
  if (words.take('authorization')) words.name();
  if (work.schemas.includes(name) || name === 'public') {
    if (!isMild) throw new PgFailure('42P06', `schema "${name}" already exists`);
    work.notice(`schema "${name}" already exists, skipping`, '42P06');
  } else {
    work.change(`INSERT INTO tt_schema VALUES (${quoteText(name)}, ${quoteText(work.user)})`);
    work.refresh();
  }
  return 'CREATE SCHEMA';
}

export function dropSchema(words: Words, work: Work): string {
  const isMild = words.take('if', 'exists');
  const name = words.name();
  const isCascading = words.take('cascade');
  if (!work.schemas.includes(name)) {
    if (!isMild) throw new PgFailure('3F000', `schema "${name}" does not exist`);
    work.notice(`schema "${name}" does not exist, skipping`);
    return 'DROP SCHEMA';
  }
  const inside = [...work.tables.values()].filter((table) => table.name.startsWith(`${name}.`));
  if (inside.length > 0 && !isCascading)
    throw new PgFailure('2BP01', `cannot drop schema ${name} because other objects depend on it`, {
      detail: inside.map((table) => `table ${table.name} depends on schema ${name}`).join('\n'),
      hint: 'Use DROP ... CASCADE to drop the dependent objects too.',
    });
  for (const table of inside) dropOne(table, inside, true, work);
  work.change(`DELETE FROM tt_schema WHERE name = ${quoteText(name)}`);
  work.refresh();
  return 'DROP SCHEMA';
}
