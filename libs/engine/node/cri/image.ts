import type { Container } from '../../api/core_v1.js';
import type { ImageSpec } from '../../kinds/terrarium/image/spec.js';
import type { Client, Reader } from '../../machinery/client.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import type { PodHttpAnswer, PodHttpRequest } from '../../machinery/requests/http.js';
import type { Millis } from '../../machinery/time/time.js';
import type { NameQuestion } from '../dns/question.js';
import type { ImageFiles } from '../../kernel/files/file.js';
import type { NameAnswer } from '../../kernel/process/syscalls.js';
import type { Program, Programs } from '../../kernel/process/program.js';

/** One line of output, at ms since the container's start. */
export interface LogLine {
  readonly at: Millis;
  readonly text: string;
  /** By default standard output. */
  readonly stream?: 'stdout' | 'stderr';
  /** The line goes on in the next entry, or its stream has ended without a newline. */
  readonly isPartial?: boolean;
}

/** The input of a process: how its container is started. */
export interface Start {
  /** Entrypoint and arguments, as the container's command and args override them, variables expanded. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly container: Container;
  readonly at: Millis;
  readonly pod: {
    readonly name: string;
    readonly namespace: string;
    readonly ip: string;
    readonly node: string;
    /** The range of its node's pods. */
    readonly podCIDR?: string;
  };
  /** The images of the containers that run beside it in its pod; absent: of none. */
  readonly beside?: readonly string[];
  /** Differs between containers and restarts: the container's ID. */
  readonly seed: string;
  /** The container is expected to end: an init container, or one of a pod that does not restart it always. */
  readonly ends: boolean;
  /** What Image.keeps said when this run began. */
  readonly kept?: string;
  /** TCP ports of its network namespace at which others listened when this run began; absent: none. */
  readonly taken?: readonly number[];
  /** Why a program of the control plane does not come up on its node, in its own last words. */
  readonly fault?: string;
  /** The files of the container's volumes now, by absolute path: ConfigMaps, Secrets, the downward API. */
  files(): Readonly<Record<string, string>>;
  /** Whether a host name resolves at a time (virtual ms). */
  resolves(host: string, at: Millis): boolean;
  /** Whether a host accepts connections at a port at that time. */
  connects(host: string, port: number, at: Millis): boolean;
}

/** A line of a server's log that does not follow from its start. `at`: virtual ms. */
export interface HeardLine {
  readonly at: Millis;
  readonly text: string;
}

/** What a control loop works with beside the API. */
export interface LoopTools {
  readonly now: Millis;
  /** It runs again no later than then. */
  wakeAt?(at: Millis): void;
  /** What it has logged by itself, with the times; and more lines of now. */
  readonly logged?: readonly HeardLine[];
  log?(lines: readonly string[]): void;
  /** Records an Event of `component` about an object, as its program does. */
  event(
    object: KubeObject,
    type: 'Normal' | 'Warning',
    reason: string,
    message: string,
    source: { readonly component: string; readonly host?: string },
  ): void;
}

/** A running container's behaviour, known from its start: a pure function of time. */
export interface Process {
  /** From when on it holds so much memory that its node may run short of it. */
  readonly heavyAfterMs?: Millis;
  /**
   * A machine runs a stand-in for it, though its image has a program of this name, which does something else; its
   * node answers at its ports.
   */
  readonly standsIn?: boolean;
  /** Its pod's machine runs it. */
  readonly isMachine?: boolean;
  /** Its course is not known from here on: look again. Absent: all of it is known. */
  readonly knownUntilMs?: Millis;
  /** Whether it accepts connections at a time; by default it does on `listens`, once ready. */
  isListening?(port: number, sinceStart: Millis): boolean;
  /** How it ends when it gets SIGTERM at a time; by default as `stop` says. */
  stopAt?(sinceStart: Millis, graceMs: Millis): { readonly afterMs: Millis; readonly code: number } | undefined;
  /** Whether it does not hear SIGTERM at a time, because it is stopped itself: then it ends with the grace period. */
  isDeaf?(sinceStart: Millis): boolean;
  /** How late its answers come at a time; Infinity: never. By default they are not late. */
  latencyMs?(sinceStart: Millis): Millis;
  /** Its own end; undefined: it runs until it is stopped. */
  readonly exit?: { readonly afterMs: Millis; readonly code: number; readonly reason?: string };
  /** Its writes to the API before it exits, as its pod's service account; an ApiError turns its exit code into 1. */
  acts?(api: Client): void;
  /**
   * Its control loop: what it keeps true in the API while it runs, as its pod's service account. Called again whenever
   * what its image tends changes, and in a while when it returns false. Only of images that have `tends`.
   */
  tends?(api: Client, tools: LoopTools): boolean;
  /** It waits for another host (a name to resolve), so that its future has to be computed again later. */
  readonly polls?: boolean;
  /** TCP ports it accepts connections on, once ready. */
  readonly listens: readonly number[];
  /** Ports that it binds for sure, whatever its container declares; none by default. */
  readonly binds?: readonly number[];
  readonly readyAfterMs: Millis;
  /** How it answers SIGTERM; undefined: it does not, and is killed when the grace period ends. */
  readonly stop?: { readonly afterMs: Millis; readonly code: number };
  /** Times (ms since start) at which what probes see may change, beside readyAfterMs. */
  readonly changes?: readonly Millis[];
  /** Its answer to an HTTP request on a port it listens on; by default an empty 200. `read`: the cluster as it is. */
  serve?(request: PodHttpRequest, sinceStart: Millis, read?: Reader): PodHttpAnswer;
  /** Of `listens`: those that only its machine answers, since what comes there acts on it and on others. */
  readonly machinePorts?: readonly number[];
  /** What its machine runs for it; by default a program that does what is said here. It gets the cluster as it is. */
  program?(read: Reader): Program;
  /** Outcome of a command run inside; by default success. */
  exec?(
    argv: readonly string[],
    sinceStart: Millis,
    timeoutMs: Millis,
  ): {
    readonly code: number;
    readonly output: string;
    readonly tookMs?: Millis;
    readonly asksOthers?: boolean;
    /** It could not be started at all. */
    readonly isUnstarted?: boolean;
  };
  /** Its answer to a question to its port 53; by default it is no name server. */
  answerName?(question: NameQuestion): NameAnswer;
  /** Its log has a line of each question or request (NameAnswer.logged, PodHttpAnswer.logged). */
  readonly logsRequests?: boolean;
  /** Until when nothing happens in its container by itself; by default that is not known. */
  quietUntil?(sinceStart: Millis): Millis;
  /** Its output until a time since its start; at most a few thousand lines. */
  lines(until: Millis): readonly LogLine[];
  /** The same as one text, when that is cheaper to have than its lines. */
  logText?(until: Millis): string | undefined;
  /** The same from a line on; its index counts those that the log's rotation has dropped. By default of `lines`. */
  linesFrom?(index: number, until: Millis): readonly LogLine[];
  /** How many lines the log's rotation has dropped by then; none by default. */
  droppedLines?(until: Millis): number;
}

/** The parts of an OCI image configuration that containers inherit. */
export interface ImageConfig {
  readonly user?: string;
  readonly exposedPorts?: readonly number[];
  readonly entrypoint?: readonly string[];
  readonly cmd?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly workingDir?: string;
  readonly stopSignal?: string;
}

/** One folder of libs/containers/catalog. */
export interface Image {
  /** Full names it answers for: 'docker.io/library/nginx'. */
  readonly repositories: readonly string[];
  /** Tags that exist; any other is not found. */
  readonly tags: RegExp;
  /** Compressed sizes in bytes: what a pull takes its time from. */
  readonly layers: readonly number[];
  readonly config: ImageConfig;
  /**
   * Its programs have control loops: Process.tends. True: webhooks, Ingresses and load balancers' addresses wake them;
   * else names of what does (kubelet/container/wakes.ts).
   */
  readonly tends?: boolean | readonly string[];
  /**
   * What a main program has read when it begins and goes by until it ends, whatever becomes of the files: it is stored
   * with the run (Start.kept). Undefined: nothing that has to be stored.
   */
  keeps?(start: Start): string | undefined;
  /**
   * Folders of their node into which programs of static pods look, whatever they mount: what others would tell them by
   * the network.
   */
  readonly nodeFolders?: readonly string[];
  /** The image of one tag, where tags differ in files or variables. */
  variant?(tag: string): Image;
  /** What is in its layers; programs are found by FileNode.program. Without, nothing is known of its files. */
  readonly files?: ImageFiles;
  /** An author has chosen its files: its tools may be others than their names say. */
  readonly isAuthored?: boolean;
  /** Sums up a main program that is known, such as a server. Undefined: a machine runs it, from `files`. */
  start(start: Start): Process | undefined;
}

/** A user of a registry. */
export interface Login {
  readonly name: string;
  readonly password: string;
}

/** A registry's answer: the image, or the error of a pull. */
export type Pullable =
  | {
      readonly image: Image;
      readonly sizeBytes: number;
      /** 'docker.io/library/nginx@sha256:…'. */
      readonly id: string;
      /** The catalogue does not know it: it is some server. */
      readonly isUnknown?: boolean;
      /** It is private: to whom it is not. Without a list, to whoever names a user and a password. */
      readonly access?: { readonly users?: readonly Login[] };
    }
  | { readonly error: string };

export interface ImageCatalog {
  /** The programs of all images. */
  readonly programs?: Programs;
  /** The image that a cluster's author describes. */
  author?(spec: ImageSpec): Image;
  /**
   * `full` and its parts come from parseReference. `isListed`: the cluster's own list says that the image exists, so
   * that it is some server when the catalogue does not know it.
   */
  resolve(
    reference: {
      readonly host: string;
      readonly repository: string;
      readonly tag: string;
      readonly digest?: string;
      readonly full: string;
    },
    isListed?: boolean,
  ): Pullable;
}
