import type { Token } from '../../sql/tokens.js';
import type { Words } from '../../sql/words.js';
import { MyFailure } from '../failure.js';
import { storePassword } from './wire.js';

export type User = { name: string; host: string; native: string; caching: string; grants: string[] };

/** CREATE, ALTER and DROP USER, GRANT, REVOKE, FLUSH. False: another statement. Throws MyFailure. */
export function manage(words: Words, tokens: readonly Token[], users: User[], store: (users: User[]) => void): boolean {
  if (words.take('flush')) return true;
  if (words.take('create', 'user')) return create(words, users, store);
  if (words.take('alter', 'user')) return alter(words, users, store);
  if (words.take('drop', 'user')) return drop(words, users, store);
  if (words.sees('grant') || words.sees('revoke')) return grant(words, tokens, users, store);
  return false;
}

/** `'name'@'host'`; of all hosts when it does not say. */
function readUser(words: Words): { name: string; host: string } {
  const token = words.next ?? words.fail();
  words.at++;
  let { text: name } = token;
  let host = '%';
  const at = token.type === 'word' ? name.indexOf('@') : -1;
  if (at > 0) [name, host] = [name.slice(0, at), name.slice(at + 1)];
  const next = words.next;
  if (next?.key === '@') {
    words.at++;
    host = words.next?.text ?? '%';
    words.at++;
  } else if (next?.key.startsWith('@')) {
    host = next.text.slice(1);
    words.at++;
  }
  return { name, host };
}

function readPassword(words: Words): string | undefined {
  if (!words.take('identified')) return undefined;
  if (words.take('with')) words.at++;
  return words.take('by') ? words.text() : '';
}

const denied = (what: string, { name, host }: { name: string; host: string }): MyFailure =>
  new MyFailure(1396, 'HY000', `Operation ${what} failed for '${name}'@'${host}'`);
const isSame = (a: { name: string; host: string }, b: { name: string; host: string }): boolean =>
  a.name === b.name && a.host === b.host;

function create(words: Words, users: User[], store: (users: User[]) => void): boolean {
  const isMild = words.take('if', 'not', 'exists');
  const given = readUser(words);
  const password = readPassword(words) ?? '';
  if (users.some((one) => isSame(one, given))) {
    if (!isMild) throw denied('CREATE USER', given);
    return true;
  }
  store([
    ...users,
    { ...given, ...storePassword(password), grants: [`GRANT USAGE ON *.* TO \`${given.name}\`@\`${given.host}\``] },
  ]);
  return true;
}

function alter(words: Words, users: User[], store: (users: User[]) => void): boolean {
  const given = readUser(words);
  const password = readPassword(words) ?? '';
  if (!users.some((one) => isSame(one, given))) throw denied('ALTER USER', given);
  store(users.map((one) => (isSame(one, given) ? { ...one, ...storePassword(password) } : one)));
  return true;
}

function drop(words: Words, users: User[], store: (users: User[]) => void): boolean {
  const isMild = words.take('if', 'exists');
  const given = readUser(words);
  const rest = users.filter((one) => !isSame(one, given));
  if (rest.length === users.length && !isMild) throw denied('DROP USER', given);
  store(rest);
  return true;
}

/** Rights are shown, and not held against anybody. */
function grant(words: Words, tokens: readonly Token[], users: User[], store: (users: User[]) => void): boolean {
  const isGrant = tokens[0]!.key === 'grant';
  const at = tokens.findIndex(({ key }) => key === (isGrant ? 'to' : 'from'));
  if (at < 0) words.fail();
  words.at = at + 1;
  const given = readUser(words);
  if (!users.some((one) => isSame(one, given)))
    throw new MyFailure(1410, '42000', 'You are not allowed to create a user with GRANT');
  const text = tokens
    .slice(0, at)
    .map(({ text: own, type }) => (type === 'name' ? `\`${own}\`` : own))
    .join(' ')
    .replace(/ ?([.,]) ?/g, '$1');
  const line = `${text} TO \`${given.name}\`@\`${given.host}\``;
  store(
    users.map((one) =>
      isSame(one, given)
        ? { ...one, grants: isGrant ? [...one.grants, line].slice(0, 50) : one.grants.slice(0, 1) }
        : one,
    ),
  );
  return true;
}
