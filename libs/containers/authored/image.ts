import type { Image } from '../../engine/node/cri/image.js';
import type { ImageFiles } from '../../engine/kernel/files/file.js';
import { bytesOf } from '../../engine/kernel/bytes.js';
import { parseSpan } from '../../engine/kinds/terrarium/image/span.js';
import type { ImageAnswer, ImageBase, ImageSpec } from '../../engine/kinds/terrarium/image/spec.js';
import { quantityValue } from '../../engine/machinery/quantity/quantity.js';
import { alpine, debian, ubuntu } from '../catalog/bases.js';
import {
  busyboxLayer,
  directory,
  distrolessLayer,
  executable,
  file,
  joinLayers,
  scratchLayer,
} from '../layers/index.js';
import { SETTINGS_PATH, type CannedAnswer, type ImageServerSettings } from '../servers/apps/image-server.js';

const SERVER = '/usr/local/bin/image-server';
const SCRIPT = '/entrypoint.sh';
const SERVER_BYTES = 1_400_000;
const DEFAULT_MODE = 0o644;
const EXECUTABLE = 0o755;

/** Files, first command and compressed size of what an image may be built on. */
const BASES: Readonly<Record<ImageBase, { files(): ImageFiles; cmd: readonly string[]; bytes: number }>> = {
  scratch: { files: () => scratchLayer, cmd: [], bytes: 0 },
  distroless: { files: () => distrolessLayer, cmd: [], bytes: 800_000 },
  busybox: { files: () => busyboxLayer, cmd: ['sh'], bytes: 2_200_000 },
  alpine: { files: () => alpine(), cmd: ['/bin/sh'], bytes: 3_600_000 },
  debian: { files: () => debian(), cmd: ['bash'], bytes: 29_800_000 },
  ubuntu: { files: () => ubuntu(), cmd: ['/bin/bash'], bytes: 29_700_000 },
};

/**
 * The image that an object of the kind Image describes. With ports, a start-up time, an end, or a use of memory or CPU
 * its main program is a server that does these, and runs the script beside; else the script is the main program, or the
 * base's shell.
 */
export function authoredImage(spec: ImageSpec): Image {
  const { base = 'debian', files = [], env = [], user, workingDir, entrypoint } = spec;
  const { cmd, bytes, files: baseFiles } = BASES[base];
  const own = Object.fromEntries(
    files.map(({ path, content = '', mode = DEFAULT_MODE }) => [bytesOf(path), file(bytesOf(content), mode)]),
  );
  const script: ImageFiles =
    entrypoint === undefined ? {} : { [SCRIPT]: file(bytesOf(withInterpreter(entrypoint)), EXECUTABLE) };
  const workingFiles: ImageFiles =
    workingDir === undefined || workingDir === '/' ? {} : { [bytesOf(workingDir)]: directory() };
  const settings = settingsOf(spec);
  const server = settings && {
    [SERVER]: executable('terrarium:image-server', SERVER_BYTES),
    [SETTINGS_PATH]: file(bytesOf(JSON.stringify(settings))),
  };
  const command = settings ? { entrypoint: [SERVER] } : entrypoint === undefined ? { cmd } : { entrypoint: [SCRIPT] };
  return {
    repositories: [spec.repository ?? ''],
    tags: /^\w[\w.-]*$/,
    layers: [bytes, JSON.stringify(spec).length].filter((size) => size > 0),
    files: joinLayers(baseFiles(), workingFiles, own, script, server ?? {}),
    config: {
      ...command,
      ...(user === undefined ? {} : { user }),
      ...(workingDir === undefined ? {} : { workingDir }),
      env: Object.fromEntries(env.map(({ name, value = '' }) => [name, value])),
      exposedPorts: (spec.ports ?? []).map(({ port }) => port),
    },
    isAuthored: true,
    start: () => undefined,
  };
}

const withInterpreter = (script: string): string => (script.startsWith('#!') ? script : `#!/bin/sh\n${script}`);

/** Undefined for an image that does nothing but run its script. */
function settingsOf({ entrypoint, ...spec }: ImageSpec): ImageServerSettings | undefined {
  const { ports, startup, exit, memory, leak, load } = spec;
  if ([ports, startup, exit, memory, leak, load].every((field) => field === undefined)) return undefined;
  return {
    ports: (ports ?? []).map(({ port, answers = [] }) => ({ port, answers: answers.map(answerOf) })),
    startup: spanOf(startup),
    ...(exit ? { exit: { after: spanOf(exit.after), code: exit.code ?? 0 } } : {}),
    memory: bytesIn(memory),
    leak: bytesIn(leak),
    load: { cpu: spanOf(load?.cpu), memory: bytesIn(load?.memory) },
    ...(entrypoint === undefined ? {} : { entrypoint: SCRIPT }),
  };
}

const answerOf = ({ path = '*', method, status = 200, headers = {}, body = '', delay }: ImageAnswer): CannedAnswer => ({
  ...{ path, status, headers, body, delay: spanOf(delay) },
  ...(method === undefined ? {} : { method }),
});

const spanOf = (text = '0s'): number => parseSpan(text) ?? 0;
const bytesIn = (text = '0'): number => quantityValue(text);
