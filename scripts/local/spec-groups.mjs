// All specs in groups. Jest loads the whole module graph anew for each spec file, which takes longer than most specs
// do; a file that has the tests of many specs loads it once. One spec alone still runs by its own path.
import fs from 'node:fs';
import path from 'node:path';
import { inMade, root } from './paths.mjs';

/**
 * Specs that take half a minute and more, and the one of the GraphQL schema, which others' types would be part of: each
 * is a group of its own, so that the processes share the work.
 */
const ALONE =
  /testkit\/(?:fuzz|seeds\/.*|transcripts|manifests|hostile\/.*|law\/law-.*|replay\/replay)\.spec|(?:resilience|worker\/law|clusters\/browser|graphql\/schema)\.spec|^scripts\/|^examples\//;

/** Suites of the console, which share a service and a browser: one to start takes longer than most of them. */
const CONSOLE = {
  'apps/console/pages': /^apps\/console\/\w+\.spec/,
  'apps/console/views': /^apps\/console\/.*browser\.spec/,
};

/** Specs that run as CommonJS: the pure ones. */
const pure = {
  // Jest needs seconds to load the engine for a group.
  specsPerGroup: 280,
  isOurs: (spec) => !spec.startsWith('libs/testkit/hostile/'),
  extension: 'cjs',
  print: (specs) => specs.map((spec) => `describe('${spec}', () => void require('${path.join(root, spec)}'));\n`),
};

/** What a project's groups are made of, and how a file of its kind of modules has a spec's tests. */
const PROJECTS = [
  { ...pure, name: 'engine', folders: ['libs/engine', 'libs/containers'] },
  { ...pure, name: 'testkit', folders: ['libs/testkit'] },
  {
    name: 'edges',
    specsPerGroup: 60,
    folders: ['libs/host', 'libs/platform', 'libs/store', 'libs/testkit/hostile', 'apps', 'scripts', 'examples'],
    isOurs: () => true,
    extension: 'mjs',
    print: (specs) => [
      ...specs.map((spec, i) => `import spec${i} from '${path.join(root, spec)}';\n`),
      ...specs.map((spec, i) => `describe('${spec}', spec${i});\n`),
    ],
  },
];

function findSpecs(folder) {
  return fs
    .readdirSync(path.join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.spec.ts'))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .sort();
}

const nameAlone = (spec) =>
  ALONE.test(spec) ? spec.replace(/\.spec\.ts$/, '') : Object.keys(CONSOLE).find((name) => CONSOLE[name].test(spec));

/** `{ name: specs }`: those of a folder, so many together in the order of their paths; those that take long alone. */
function groupSpecs(folder, specs, specsPerGroup) {
  const groups = {};
  const together = specs.filter((spec) => !nameAlone(spec));
  for (let i = 0; i < together.length; i += specsPerGroup)
    groups[`${folder}/${i / specsPerGroup + 1}`] = together.slice(i, i + specsPerGroup);
  for (const spec of specs.filter(nameAlone)) (groups[nameAlone(spec)] ??= []).push(spec);
  return groups;
}

/** Writes the groups of all projects as files below `.terrarium/groups`, whose paths hold those of their folders. */
export function writeSpecGroups() {
  fs.rmSync(inMade('groups'), { recursive: true, force: true });
  for (const { name, specsPerGroup, folders, isOurs, extension, print } of PROJECTS)
    for (const folder of folders)
      for (const [group, specs] of Object.entries(
        groupSpecs(folder, findSpecs(folder).filter(isOurs), specsPerGroup),
      )) {
        const file = `${inMade('groups', name, group)}.spec.${extension}`;
        fs.mkdirSync(path.dirname(file), { recursive: true });
        fs.writeFileSync(file, print(specs).join(''));
      }
}
