import { SystemError } from '../../../../../engine/kernel/errno.js';
import { bytesOf } from '../../../../../engine/kernel/bytes.js';
import { readSmallFile } from '../../../accounts.js';
import { KubectlFailure } from '../../session/failure.js';
import type { Session } from '../../session/session.js';
import { PRINT, WRITE } from '../../flags/groups.js';
import type { Command } from '../command.js';
import { createObject, nameOfArgs, requireFlags } from './object.js';

const FLAGS = [...PRINT, ...WRITE];
const SOURCES = ['from-literal:', 'from-file:', 'from-env-file:', 'append-hash'];
const MAX_KEYS = 1_000;

/** Keys and their contents, as bytes, of --from-literal, --from-file and --from-env-file. Throws KubectlFailure. */
function readSources(session: Session, taken: (key: string) => string): Record<string, string> {
  const { flags } = session;
  if (flags.has('from-env-file') && (flags.has('from-file') || flags.has('from-literal')))
    throw new KubectlFailure('from-env-file cannot be combined with from-file or from-literal');
  const found: Record<string, string> = {};
  const add = (key: string, value: string): void => {
    if (Object.hasOwn(found, key)) throw new KubectlFailure(taken(key));
    if (Object.keys(found).length >= MAX_KEYS) throw new KubectlFailure('too many keys');
    found[key] = value;
  };
  for (const text of flags.all('from-file')) readFileSource(session, text, add);
  for (const text of flags.all('from-literal')) {
    const at = text.indexOf('=');
    if (at < 1) throw new KubectlFailure(`invalid literal source ${text}, expected key=value`);
    const value = text.slice(at + 1);
    add(text.slice(0, at), bytesOf(/^(['"]).*\1$/s.test(value) && value.length > 1 ? value.slice(1, -1) : value));
  }
  for (const path of flags.all('from-env-file')) readEnvFile(session, path, add);
  return found;
}

function readFileSource({ sys }: Session, text: string, add: (key: string, value: string) => void): void {
  const at = text.indexOf('=');
  const path = text.slice(at + 1);
  const key = at < 0 ? path.slice(path.lastIndexOf('/') + 1) : text.slice(0, at);
  try {
    if (sys.stat(path).type !== 'directory') return add(key, readSmallFile(sys, path));
    if (at >= 0) throw new KubectlFailure(`cannot give a key name for a directory path`);
    for (const name of sys.readDirectory(path)) {
      const file = `${path.replace(/\/$/, '')}/${name}`;
      if (sys.stat(file).type === 'file') add(name, readSmallFile(sys, file));
    }
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    throw new KubectlFailure(
      `error reading ${path}: ${error.message.toLowerCase()}`.replace('ENOENT', 'no such file or directory'),
    );
  }
}

function readEnvFile(session: Session, path: string, add: (key: string, value: string) => void): void {
  for (const raw of session.readFile(path).split('\n')) {
    const line = raw.trimStart();
    if (line === '' || line.startsWith('#')) continue;
    const at = line.indexOf('=');
    const key = at < 0 ? line : line.slice(0, at);
    add(key, bytesOf(at < 0 ? (session.sys.env[key] ?? '') : line.slice(at + 1)));
  }
}

const isText = (bytes: string): boolean => {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes, (char) => char.charCodeAt(0)));
    return true;
  } catch {
    return false;
  }
};

const decode = (bytes: string): string =>
  new TextDecoder().decode(Uint8Array.from(bytes, (char) => char.charCodeAt(0)));

const configmap: Command = {
  flags: [...FLAGS, ...SOURCES],
  run(session) {
    const name = nameOfArgs(session);
    refuseHash(session);
    const taken = (key: string): string =>
      `cannot add key "${key}", another key by that name already exists in Data for ConfigMap "${name}"`;
    const entries = Object.entries(readSources(session, taken));
    const texts = entries.filter(([, value]) => isText(value)).map(([key, value]) => [key, decode(value)]);
    const binaries = entries.filter(([, value]) => !isText(value)).map(([key, value]) => [key, btoa(value)]);
    const data = texts.length > 0 ? { data: Object.fromEntries(texts) as object } : {};
    const binaryData = binaries.length > 0 ? { binaryData: Object.fromEntries(binaries) as object } : {};
    createObject(
      session,
      { apiVersion: 'v1', ...data, ...binaryData, kind: 'ConfigMap', metadata: { name } },
      'configmap',
    );
  },
};

function refuseHash({ flags }: Session): void {
  if (flags.isOn('append-hash')) throw new KubectlFailure('--append-hash is not simulated');
}

const generic: Command = {
  flags: [...FLAGS, ...SOURCES, 'type:'],
  run(session) {
    const name = nameOfArgs(session);
    refuseHash(session);
    const taken = (key: string): string => `cannot add key ${key}, another key by that name already exists`;
    const data = Object.entries(readSources(session, taken)).map(([key, value]) => [key, btoa(value)]);
    const type = session.flags.value('type');
    createObject(
      session,
      {
        ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name } },
        ...(data.length > 0 ? { data: Object.fromEntries(data) as object } : {}),
        ...(type === '' ? {} : { type }),
      },
      'secret',
    );
  },
};

function readPem({ sys }: Session, path: string): string {
  try {
    sys.close(sys.open(path, { read: true }));
    return readSmallFile(sys, path);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    throw new KubectlFailure(`Cannot read file ${path}, open ${path}: ${error.message.toLowerCase()}`);
  }
}

const tls: Command = {
  flags: [...FLAGS, 'cert:', 'key:', 'append-hash'],
  run(session) {
    requireFlags(session, 'cert', 'key');
    refuseHash(session);
    const read = (flag: string): string => btoa(readPem(session, session.flags.value(flag)));
    const data = { 'tls.crt': read('cert'), 'tls.key': read('key') };
    const metadata = { name: nameOfArgs(session) };
    createObject(session, { apiVersion: 'v1', kind: 'Secret', metadata, type: 'kubernetes.io/tls', data }, 'secret');
  },
};

const registry: Command = {
  flags: [
    ...[...FLAGS, 'docker-server:', 'docker-username:', 'docker-password:', 'docker-email:', 'from-file:'],
    'append-hash',
  ],
  run(session) {
    const { flags } = session;
    refuseHash(session);
    const name = nameOfArgs(session);
    const [username, password] = [flags.value('docker-username'), flags.value('docker-password')];
    if (!flags.has('from-file') && (username === '' || password === ''))
      throw new KubectlFailure(
        `either --from-file or the combination of --docker-username, --docker-password and --docker-server is required`,
      );
    const server = flags.value('docker-server') || 'https://index.docker.io/v1/';
    const email = flags.value('docker-email');
    const login = {
      username,
      password,
      ...(email === '' ? {} : { email }),
      auth: btoa(bytesOf(`${username}:${password}`)),
    };
    const text = flags.has('from-file')
      ? session.readFile(flags.value('from-file').replace(/^[^=]*=/, ''))
      : JSON.stringify({ auths: { [server]: login } });
    createObject(
      session,
      {
        ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name }, type: 'kubernetes.io/dockerconfigjson' },
        data: { '.dockerconfigjson': btoa(bytesOf(text)) },
      },
      'secret docker-registry',
    );
  },
};

export const config: Readonly<Record<string, Command>> = {
  'create configmap': configmap,
  'create cm': configmap,
  'create secret generic': generic,
  'create secret tls': tls,
  'create secret docker-registry': registry,
};
