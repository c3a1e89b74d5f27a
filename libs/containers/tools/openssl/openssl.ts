import { p256 } from '@noble/curves/nist.js';
import type { Bytes } from '../../../engine/kernel/bytes.js';
import { type Wait, waitToRead, YIELD } from '../../../engine/kernel/process/program.js';
import { ToolFailure } from '../framework/failure.js';
import type { FilterContext } from '../framework/filter.js';
import { defineSteps } from '../framework/steps.js';
import { REQ_OPTIONS, runReq, runX509, X509_OPTIONS } from './x509/certificates.js';
import { type OpensslContext, randomBytes, writeOutput } from './context.js';
import { ecPrivateKey, ed25519PrivateKey, type PrivateKey, readPrivateKey, rsaPrivateKey } from './keys.js';
import { CommandFailure, type OpensslOptions, readOptions } from './options.js';
import { PASSWD_OPTIONS, runPasswd } from './passwd/passwd.js';
import { EXPONENT, isProbablyPrime, keyOfPrimes, nextCandidate, numberOf } from './rsa.js';
import { type SClient, S_CLIENT_OPTIONS, startClient, stepClient } from './s-client.js';
import {
  BASE64_OPTIONS,
  DIGEST_NAMES,
  DIGEST_OPTIONS,
  KEY_OPTIONS,
  RAND_OPTIONS,
  runBase64,
  runDigest,
  runKey,
  runRand,
} from './small.js';
import { runVerify, VERIFY_OPTIONS } from './verify.js';

type OpensslState = {
  command: string;
  words: Bytes[];
  stdin: Bytes;
  isInputRead: boolean;
  /** The size of the RSA key that is being made; 0: none, or it is made. */
  bits: number;
  showsProgress: boolean;
  /** Hexadecimal. */
  primes: string[];
  candidate: string;
  key: string;
  client: SClient | null;
};

interface Command {
  readonly table: string;
  run(context: OpensslContext, options: OpensslOptions): number;
  /** Whether it reads standard input. */
  reads?(options: OpensslOptions): boolean;
  /** The key that it needs: 'rsa:2048', 'ec', 'ed25519'. */
  makes?(options: OpensslOptions): string | undefined;
}

const readsInput = (options: OpensslOptions): boolean => !options.has('in') || options.value('in') === '-';
const printKey = (context: OpensslContext, options: OpensslOptions): number => {
  writeOutput(context, options.value('out'), context.newKey!.pem, true);
  return 0;
};

const COMMANDS: Readonly<Record<string, Command>> = {
  version: {
    table: 'a v',
    run({ tool }, options) {
      tool.out(options.has('a') ? `${VERSION}platform: debian-amd64\nOPENSSLDIR: "/usr/lib/ssl"\n` : VERSION);
      return 0;
    },
  },
  x509: { table: X509_OPTIONS, run: runX509, reads: readsInput },
  req: {
    table: REQ_OPTIONS,
    run: runReq,
    reads: (options) => readsInput(options) && !options.has('new') && !options.has('newkey') && !options.has('x509'),
    makes: (options) =>
      options.value('newkey') ??
      (!options.has('key') && (options.has('new') || options.has('x509')) ? 'rsa:2048' : undefined),
  },
  genrsa: { table: 'out: verbose', run: printKey, makes: ({ operands }) => `rsa:${operands[0] ?? '2048'}` },
  genpkey: {
    table: 'algorithm: out: pkeyopt:',
    run: printKey,
    makes(options) {
      const bits = /^rsa_keygen_bits:(.*)$/.exec(options.value('pkeyopt') ?? '')?.[1] ?? '2048';
      return /^rsa$/i.test(options.value('algorithm') ?? '')
        ? `rsa:${bits}`
        : /^(ec|ed25519)$/i.test(options.value('algorithm') ?? '')
          ? options.value('algorithm')!.toLowerCase()
          : 'none';
    },
  },
  ecparam: {
    table: 'name: genkey noout out:',
    run: printKey,
    makes: (options) =>
      options.has('genkey') && /^(prime256v1|P-256)$/.test(options.value('name') ?? '') ? 'ec' : 'none',
  },
  passwd: { table: PASSWD_OPTIONS, run: runPasswd, reads: (options) => options.has('stdin') },
  rand: { table: RAND_OPTIONS, run: runRand },
  base64: { table: BASE64_OPTIONS, run: runBase64, reads: readsInput },
  enc: {
    table: BASE64_OPTIONS,
    reads: readsInput,
    run(context, options) {
      if (options.has('base64') || options.has('a')) return runBase64(context, options);
      throw new CommandFailure('enc: only -base64 is there: ciphers are not');
    },
  },
  dgst: {
    table: DIGEST_OPTIONS,
    run: (context, options) => runDigest(context, options),
    reads: ({ operands }) => operands.length === 0,
  },
  verify: { table: VERIFY_OPTIONS, run: runVerify },
  s_client: { table: S_CLIENT_OPTIONS, run: () => 0 },
};
const KEYS = ['rsa', 'ec', 'pkey'];
const VERSION = 'OpenSSL 3.0.17 1 Jul 2025 (Library: OpenSSL 3.0.17 1 Jul 2025)\n';
const MAX_INPUT = 4 << 20;

function commandOf(name: string): Command | undefined {
  if (Object.hasOwn(COMMANDS, name)) return COMMANDS[name];
  if (DIGEST_NAMES.includes(name))
    return { ...COMMANDS['dgst']!, run: (context, options) => runDigest(context, options, name) };
  if (KEYS.includes(name))
    return { table: KEY_OPTIONS, reads: readsInput, run: (context, options) => runKey(context, options, name) };
  return undefined;
}

/** OpenSSL 3.0: certificates, keys, digests and TLS clients. Models apps/openssl.c. */
export const openssl = defineSteps<OpensslState>({
  start(tool) {
    const [name = '', ...words] = tool.args;
    const command = commandOf(name);
    if (command === undefined) {
      const isHelp = name === '' || name === 'help';
      tool.err(
        isHelp
          ? `help:\n\nStandard commands\n${[...Object.keys(COMMANDS), ...KEYS].sort().join(' ')}\n`
          : `Invalid command '${name}'; type "help" for a list.\n`,
      );
      return isHelp ? 0 : 1;
    }
    return guard(tool, () => begin(tool, name, command, words));
  },
  step(tool, state) {
    const answer = guard(tool, () => advance(tool, state));
    return answer;
  },
});

/** Failures have lines of their own, without the tool's name. */
function guard<T>(tool: FilterContext, act: () => T): T | number {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    tool.err(`${error.lines}\n`);
    return 1;
  }
}

function begin(tool: FilterContext, name: string, command: Command, words: readonly Bytes[]): OpensslState {
  const options = readOptions(name, command.table, words);
  const wanted = command.makes?.(options);
  const state: OpensslState = {
    ...{ command: name, words: [...words], stdin: '', isInputRead: command.reads?.(options) !== true, bits: 0 },
    ...{ showsProgress: name === 'req', primes: [], candidate: '', key: '', client: null },
  };
  if (wanted === 'ec') state.key = makeEcKey(tool).pem;
  else if (/^ed25519$/i.test(wanted ?? '')) state.key = ed25519PrivateKey(randomBytes(tool, 32)).pem;
  else if (wanted !== undefined) {
    const bits = Number(/^rsa:(\d{1,5})$/.exec(wanted)?.[1]);
    if (!(bits >= 512))
      throw new CommandFailure(
        `${name}: ${wanted === 'none' ? 'only keys of RSA, P-256 and Ed25519 are made here' : `Unknown algorithm or size: ${wanted}`}`,
      );
    if (bits > MAX_BITS) throw new CommandFailure(`${name}: keys of more than ${MAX_BITS} bit are not made here`);
    state.bits = bits;
  }
  if (name === 's_client') state.client = startClient(tool, options);
  return state;
}

const MAX_BITS = 4_096;

function makeEcKey(tool: FilterContext): PrivateKey {
  for (;;) {
    const secret = randomBytes(tool, 32);
    if (p256.utils.isValidSecretKey(secret)) return ecPrivateKey(secret);
  }
}

function advance(tool: FilterContext, state: OpensslState): number | Wait {
  const command = commandOf(state.command)!;
  const options = readOptions(state.command, command.table, state.words);
  if (state.client !== null) return stepClient(tool, state.client, options);
  if (!state.isInputRead) {
    const bytes = tool.sys.read(0, 65_536);
    if (bytes === undefined) return waitToRead(0);
    state.isInputRead = bytes === '';
    state.stdin += bytes;
    if (state.stdin.length > MAX_INPUT) throw new ToolFailure('memory exhausted');
    return YIELD;
  }
  if (state.bits > 0) {
    searchPrime(tool, state);
    return YIELD;
  }
  tool.sys.charge(20_000);
  const newKey = state.key === '' ? undefined : readPrivateKey(state.key);
  return command.run({ tool, stdin: state.stdin, newKey }, options);
}

/** One candidate a step: its test is the work of some ms. */
function searchPrime(tool: FilterContext, state: OpensslState): void {
  if (state.candidate === '') {
    const bytes = randomBytes(tool, state.bits >> 4);
    bytes[0]! |= 0xc0;
    bytes[bytes.length - 1]! |= 1;
    state.candidate = numberOf(bytes).toString(16);
  }
  const candidate = nextCandidate(BigInt(`0x${state.candidate}`));
  tool.sys.charge(5_000);
  if ((candidate - 1n) % EXPONENT === 0n || !isProbablyPrime(candidate)) {
    if (state.showsProgress) tool.err('.');
    state.candidate = (candidate + 2n).toString(16);
    return;
  }
  if (state.showsProgress) tool.err(`${'+'.repeat(65)}\n`);
  state.primes.push(candidate.toString(16));
  state.candidate = '';
  const [p, q] = state.primes;
  if (p === undefined || q === undefined) return;
  if (p === q) state.primes.pop();
  else {
    state.key = rsaPrivateKey(keyOfPrimes(BigInt(`0x${p}`), BigInt(`0x${q}`))).pem;
    state.bits = 0;
  }
}
