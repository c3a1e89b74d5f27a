import type { Program, Programs } from '@terrarium/engine';
import { programs as servers } from '../servers/index.js';
import { programs as shells } from '../shell/index.js';
import { programs as archive } from '../tools/archive/index.js';
import { programs as awk } from '../tools/awk/index.js';
import { programs as coreutils } from '../tools/coreutils/index.js';
import { programs as editors } from '../tools/editors/index.js';
import { programs as helm } from '../tools/helm/index.js';
import { programs as jq } from '../tools/jq/index.js';
import { programs as kubectl } from '../tools/kubectl/index.js';
import { programs as litmus } from '../tools/litmus/index.js';
import { programs as netfilter } from '../tools/netfilter/index.js';
import { programs as network } from '../tools/network/index.js';
import { programs as nodeTools } from '../tools/node/index.js';
import { programs as openssl } from '../tools/openssl/index.js';
import { programs as packages } from '../tools/package/index.js';
import { programs as processes } from '../tools/process/index.js';
import { programs as scripting } from '../tools/scripting/index.js';
import { programs as text } from '../tools/text/index.js';
import { programs as users } from '../tools/users/index.js';
import { programs as unsimulated } from '../tools/framework/unsimulated.js';
import { isEndless, isQuiet } from './endless.js';
import { makeMultiCall } from './multi-call.js';
import { isSelfContained } from './self-contained.js';

const rooms: Readonly<Record<string, Program>> = {
  ...archive,
  ...awk,
  ...shells,
  ...coreutils,
  ...editors,
  ...jq,
  ...text,
  ...users,
  ...processes,
  ...netfilter,
  ...network,
  ...openssl,
  ...packages,
  ...helm,
  ...kubectl,
  ...litmus,
  ...nodeTools,
  ...scripting,
  ...unsimulated,
  ...servers,
};

const applets = Object.entries(rooms).flatMap(([name, program]): [string, Program][] =>
  name.startsWith('busybox:') ? [[name.slice('busybox:'.length), program]] : [],
);
const shellApplets = ['sh', 'ash'].map((name): [string, Program] => [name, rooms['ash']!]);
const busybox = makeMultiCall(new Map([...applets, ...shellApplets])) as unknown as Program;

const all: ReadonlyMap<string, Program> = new Map(Object.entries({ ...rooms, 'busybox:busybox': busybox }));

/** Every program that a file of an image may stand for, by FileNode.program. */
export const programs: Programs = { find: (name) => all.get(name), isEndless, isQuiet, isSelfContained };
