import { RELEASES } from '../../../machinery/releases.js';
import type { WebFile, WebFileSpec } from '../../../kinds/terrarium/webfile/kind.js';
import { CRI_DOCKERD } from './cri-dockerd.js';
import { RELEASE_KEY } from './release-key.js';
import { readLater } from '../../../kernel/files/lazy-file.js';

/** The first page of the web, which Kubernetes' task on init containers fetches. */
const FIRST_PAGE = `<html><head></head><body><header>
<title>http://info.cern.ch</title>
</header>

<h1>http://info.cern.ch - home of the first website</h1>
<p>From here you can:</p>
<ul>
<li><a href="http://info.cern.ch/hypertext/WWW/TheProject.html">Browse the first website</a></li>
<li><a href="http://line-mode.cern.ch/www/hypertext/WWW/TheProject.html">Browse the first website using the line-mode browser simulator</a></li>
<li><a href="http://home.web.cern.ch/topics/birth-web">Learn about the birth of the web</a></li>
<li><a href="http://home.web.cern.ch/about">Learn about CERN, the physics laboratory where the web was born</a></li>
</ul>
</body></html>
`;

/** Minor releases whose packages the documentation of some version installs: v1.28 is the first of pkgs.k8s.io's. */
const FIRST_MINOR = 28;
const LAST_MINOR = Math.max(...RELEASES.map(({ gitVersion }) => Number(gitVersion.split('.')[1])));

const releaseKeys = Array.from(
  { length: LAST_MINOR - FIRST_MINOR + 1 },
  (_, i) => [`https://pkgs.k8s.io/core:/stable:/v1.${FIRST_MINOR + i}/deb/Release.key`, () => RELEASE_KEY] as const,
);

const PAGES: readonly (readonly [url: string, content: () => string])[] = [
  ['http://info.cern.ch/', () => FIRST_PAGE],
  ...releaseKeys,
  ...CRI_DOCKERD,
];

const fileOf = (spec: WebFileSpec): WebFile => ({
  ...{ apiVersion: 'terrarium.dev/v1alpha1', kind: 'WebFile', metadata: {} },
  ...{ spec, status: {} },
});

/** Pages of the web that Kubernetes' own tasks need: every cluster reaches them. An author's own come first. */
export const KNOWN_PAGES: readonly WebFile[] = PAGES.map(([url, content]) => fileOf(readLater({ url }, content)));

const HOSTS: ReadonlySet<string> = new Set(PAGES.map(([url]) => url.split('/')[2]!));

export const isKnownHost = (host: string): boolean => HOSTS.has(host);
