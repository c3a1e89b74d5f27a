import { languageFiles } from './files.js';
import { serverProcess, toolImage } from '../../programs/server.js';
import { isTool } from '../../programs/tools.js';

const serve = serverProcess({ declared: true, probed: true, readyAfterMs: 400, stop: null });

/** Language runtimes: a file to run is a server that runs on; an interpreter without one ends at once. */
export const image = toolImage(
  {
    names: [
      'python',
      'node',
      'golang',
      'ruby',
      'php',
      'openjdk',
      'eclipse-temurin',
      'rust',
      'gradle',
      'maven',
      'oven/bun',
      'denoland/deno',
    ],
    tags: /^(latest|lts|current|slim|alpine|[a-z]*\d+(\.\d{1,3}){0,3})([_-][\w.-]+)?$|^(slim|alpine|lts|current)-[a-z0-9.-]+$/,
    layersMB: [48.5, 24.0, 64.4, 211.2, 6.2, 24.9],
    files: languageFiles(''),
    variant: (tag) => ({ files: languageFiles(tag) }),
    config: { cmd: ['python3'] },
  },
  (start) => {
    const { argv } = start;
    if (isTool(argv)) return undefined;
    if (argv.includes('http.server')) return undefined;
    const runsCode = argv.some((a) => a === '-c' || a === '-e' || a === '--version' || a === '-V');
    return argv.length < 2 || runsCode ? undefined : serve(start);
  },
);
