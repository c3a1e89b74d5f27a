import { bytesOf, textOf } from '../../../../../engine/kernel/bytes.js';
import { answerFinal, answerFirst, makeNonce, makeVerifier } from '../../scram.js';
import { MongoFailure } from '../failure.js';
import { fieldOf, isDocument, type Document, type Value } from '../data/value.js';
import { keep, textField, type Call, type Commands } from './own.js';
import { findCollection, needCollection } from './store.js';

/** Where users are kept, as in MongoDB. */
const [DATABASE, USERS] = ['admin', 'system.users'];

const usersOf = ({ own }: Call): Document[] => findCollection(own.databases, DATABASE, USERS)?.documents ?? [];

function rolesOf(call: Call): Value[] {
  const roles = fieldOf(call.document, 'roles');
  return (Array.isArray(roles) ? roles : []).map((role) => (isDocument(role) ? role : { role, db: call.database }));
}

function createUser(call: Call): Document {
  const user = textField(call, 'createUser');
  const id = `${call.database}.${user}`;
  if (usersOf(call).some((one) => one['_id'] === id))
    throw new MongoFailure(51_003, `User "${user}@${call.database}" already exists`);
  const verifier = makeVerifier(bytesOf(textField(call, 'pwd')), () => call.sys.random());
  needCollection(call.own.databases, DATABASE, USERS).documents.push({
    ...{ _id: id, user, db: call.database, credentials: { 'SCRAM-SHA-256': verifier }, roles: rolesOf(call) },
  });
  keep(call, DATABASE);
  return { ok: 1 };
}

function dropUser(call: Call): Document {
  const user = textField(call, 'dropUser');
  const users = usersOf(call);
  const at = users.findIndex((one) => one['_id'] === `${call.database}.${user}`);
  if (at < 0) throw new MongoFailure(11, `User '${user}@${call.database}' not found`);
  users.splice(at, 1);
  keep(call, DATABASE);
  return { ok: 1 };
}

function updateUser(call: Call): Document {
  const user = textField(call, 'updateUser');
  const found = usersOf(call).find((one) => one['_id'] === `${call.database}.${user}`);
  if (!found) throw new MongoFailure(11, `Could not find user "${user}" for db "${call.database}"`);
  if (fieldOf(call.document, 'pwd') !== undefined)
    found['credentials'] = { 'SCRAM-SHA-256': makeVerifier(bytesOf(textField(call, 'pwd')), () => call.sys.random()) };
  if (fieldOf(call.document, 'roles') !== undefined) found['roles'] = rolesOf(call);
  keep(call, DATABASE);
  return { ok: 1 };
}

function usersInfo(call: Call): Document {
  const users = usersOf(call).filter(({ db }) => db === call.database);
  return {
    users: users.map(({ credentials, ...one }) => ({ ...one, mechanisms: Object.keys(credentials as Document) })),
    ok: 1,
  };
}

function payloadOf({ document }: Call): string {
  const payload = fieldOf(document, 'payload') as { $binary?: { bytes?: string } } | null | undefined;
  return payload?.$binary?.bytes ?? '';
}
const binary = (text: string): Value => ({ $binary: { bytes: text, subType: 0 } });
const refuse = (): never => {
  throw new MongoFailure(18, 'Authentication failed.');
};

function saslStart(call: Call): Document {
  const mechanism = fieldOf(call.document, 'mechanism');
  if (mechanism !== 'SCRAM-SHA-256')
    throw new MongoFailure(
      334,
      `Received authentication for mechanism ${String(mechanism)} which is unknown or not enabled`,
    );
  const bare = payloadOf(call).replace(/^n,,/, '');
  const user = textOf(/^n=([^,]*),/.exec(bare)?.[1] ?? '')
    .replaceAll('=2C', ',')
    .replaceAll('=3D', '=');
  const name = `${call.database}.${user}`;
  const first = answerFirst(
    bare,
    verifierOf(call, name),
    makeNonce(() => call.sys.random()),
  );
  if (first === undefined) return refuse();
  call.client.begun = { name, bare, first };
  return { conversationId: 1, done: false, payload: binary(first), ok: 1 };
}

function verifierOf(call: Call, name: string): string {
  const credentials = usersOf(call).find((one) => one['_id'] === name)?.['credentials'];
  return isDocument(credentials) ? String(credentials['SCRAM-SHA-256'] ?? '') : '';
}

function saslContinue(call: Call): Document {
  const { client } = call;
  if (client.begun === null) {
    if (client.user === null) refuse();
    return { conversationId: 1, done: true, payload: binary(''), ok: 1 };
  }
  const { name, bare, first } = client.begun;
  client.begun = null;
  const last = answerFinal(bare, first, payloadOf(call), verifierOf(call, name));
  if (last === undefined) return refuse();
  client.user = name;
  return { conversationId: 1, done: true, payload: binary(last), ok: 1 };
}

/** Commands about users, and those by which a client proves to be one. */
export const users: Commands = {
  ...{ createUser, dropUser, updateUser, usersInfo, saslStart, saslContinue },
  logout: ({ client }) => {
    client.user = null;
    return { ok: 1 };
  },
};

/** What needs no user. */
export const OPEN: readonly string[] = [
  'hello',
  'isMaster',
  'ismaster',
  'ping',
  'buildInfo',
  'buildinfo',
  'saslStart',
  'saslContinue',
  'logout',
  'endSessions',
  'connectionStatus',
  'whatsmyuri',
];
