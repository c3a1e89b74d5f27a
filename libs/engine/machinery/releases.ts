/** A patch release of Kubernetes, as its kube-apiserver was built. */
export interface Release {
  readonly gitVersion: string;
  readonly gitCommit: string;
  readonly buildDate: string;
  readonly goVersion: string;
}

/** Those whose API is served: the patches of 1.36. They differ here in nothing but the version that they show. */
export const RELEASES = [
  {
    gitVersion: 'v1.36.0',
    gitCommit: 'ecf6decece6a6de25a57aad9ba90b6ce580f6f78',
    buildDate: '2026-04-22T13:54:03Z',
    goVersion: 'go1.26.2',
  },
  {
    gitVersion: 'v1.36.1',
    gitCommit: '756939600b9a7180fc2df6550a4585b638875e67',
    buildDate: '2026-05-12T09:53:52Z',
    goVersion: 'go1.26.2',
  },
  {
    gitVersion: 'v1.36.3',
    gitCommit: '0f29094e5b73085e3802ecc1298ecae13866bfe6',
    buildDate: '2026-07-22T18:02:11Z',
    goVersion: 'go1.26.5',
  },
  {
    gitVersion: 'v1.36.4',
    gitCommit: 'bb826b1d48562f110659e64e8ec444327433db95',
    buildDate: '2026-08-20T03:08:41Z',
    goVersion: 'go1.26.5',
  },
] as const satisfies readonly Release[];

export type GitVersion = (typeof RELEASES)[number]['gitVersion'];

/** Of a cluster whose creator has chosen none. */
export const DEFAULT_VERSION: GitVersion = 'v1.36.3';

export const releaseOf = (version: GitVersion): Release => RELEASES.find(({ gitVersion }) => gitVersion === version)!;

/** 'v1.36.4' of '1.36.4' or 'v1.36.4'; undefined when it is not served. */
export const parseVersion = (text: string): GitVersion | undefined =>
  RELEASES.find(({ gitVersion }) => gitVersion === (text.startsWith('v') ? text : `v${text}`))?.gitVersion;
