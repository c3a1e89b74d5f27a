import type { Library } from '../../../machinery/cel/index.js';

/** Of a part: these are looked at in turns of `every`, since no change tells of them. */
const LOOKS = ['logs', 'file', 'run', 'connects', 'fetch'] as const;

/** What functions of checks do; each gets the arguments of its call. */
export interface CheckFunctions {
  /** Ready endpoints of a Service. */
  readyEndpoints(service: string): bigint;
  /** The log of a container; '': the pod's only one. */
  logs(pod: string, container: string): string;
  /** A file of a container, or of a node. */
  file(place: string, container: string, path: string): string;
  /** What comes of a command in a copy of a container, or of a node: {code, output}. */
  run(place: string, container: string, argv: readonly string[]): object;
  /** Whether a connection is delivered, as a Trace says. */
  connects(from: string, to: string, port: bigint, protocol: string): boolean;
  /** What a request from outside is answered: {status, body}, with status 0 when it is not. */
  fetch(url: string): object;
}

type One = readonly [string];
type Two = readonly [string, string];
type Three = readonly [string, string, string];

/** The overloads by which expressions call them. */
export const checkLibrary = (own: CheckFunctions): Library => ({
  'readyEndpoints(string): int': ([service]: One) => own.readyEndpoints(service),
  'logs(string): string': ([pod]: One) => own.logs(pod, ''),
  'logs(string, string): string': ([pod, container]: Two) => own.logs(pod, container),
  'file(string, string): string': ([place, path]: Two) => own.file(place, '', path),
  'file(string, string, string): string': ([place, container, path]: Three) => own.file(place, container, path),
  'run(string, list<string>): map<string, dyn>': ([place, argv]: readonly [string, string[]]) =>
    own.run(place, '', argv),
  'run(string, string, list<string>): map<string, dyn>': ([place, container, argv]: readonly [
    string,
    string,
    string[],
  ]) => own.run(place, container, argv),
  'connects(string, string): bool': ([from, to]: Two) => own.connects(from, to, 0n, 'TCP'),
  'connects(string, string, int): bool': ([from, to, port]: readonly [string, string, bigint]) =>
    own.connects(from, to, port, 'TCP'),
  'connects(string, string, int, string): bool': ([from, to, port, protocol]: readonly [
    string,
    string,
    bigint,
    string,
  ]) => own.connects(from, to, port, protocol),
  'fetch(string): map<string, dyn>': ([url]: One) => own.fetch(url),
});

export const looksAround = (functions: ReadonlySet<string>): boolean => LOOKS.some((name) => functions.has(name));

const nobody = (): never => {
  throw new Error('what is only compiled does not run');
};

/** For who compiles expressions and never runs them. */
export const NO_FUNCTIONS: CheckFunctions = {
  readyEndpoints: nobody,
  logs: nobody,
  file: nobody,
  run: nobody,
  connects: nobody,
  fetch: nobody,
};
