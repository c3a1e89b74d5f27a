import type { FileNode, ImageFiles } from '../../../engine/kernel/files/file.js';
import { debianPackages, directory, file, joinLayers, link, readPrograms, withAccounts } from '../../layers/index.js';
import { debian, shareLayer, ubuntu, versionOf } from '../bases.js';
import { ENTRYPOINT, READY, START, zkServer } from './scripts.js';

export const LATEST = '3.9.3';
const OLD = '3.4.10';
const USER = 1_000;
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

const owned = (): FileNode => ({ ...directory(), user: USER, group: USER });

/** Docker's official image. */
export function zookeeperFiles(tag: string): ImageFiles {
  const version = versionOf(tag, LATEST);
  const isOld = version.startsWith('3.4');
  return shareLayer(`zookeeper ${version}`, () => {
    const home = `/apache-zookeeper-${version}-bin`;
    const java = '/opt/java/openjdk/bin/java';
    return withAccounts(
      joinLayers(
        debian('bookworm'),
        debianPackages('netcat-openbsd', 'procps'),
        readPrograms('/opt/java/openjdk/bin zookeeper java'),
        readPrograms(`${home}/bin zookeeper zkCli.sh=zookeeper:${isOld ? 'zkCli-3.4' : 'zkCli'}`),
        readPrograms('/usr/local/bin tool gosu'),
        {
          '/docker-entrypoint.sh': file(ENTRYPOINT, 0o755),
          [`${home}/bin/zkServer.sh`]: file(zkServer(java, version, '/conf/zoo.cfg', home), 0o755),
          ...{ '/conf': owned(), '/data': owned(), '/datalog': owned(), '/logs': owned() },
        },
      ),
      [['zookeeper', USER, USER, '', '/home/zookeeper', '/bin/sh']],
      [['zookeeper', USER]],
    );
  });
}

export const zookeeperVariables = (tag: string): Readonly<Record<string, string>> => ({
  PATH: `/opt/java/openjdk/bin:${PATH}:/apache-zookeeper-${versionOf(tag, LATEST)}-bin/bin`,
  ...{ ZOO_CONF_DIR: '/conf', ZOO_DATA_DIR: '/data', ZOO_DATA_LOG_DIR: '/datalog', ZOO_LOG_DIR: '/logs' },
  ...{ ZOO_TICK_TIME: '2000', ZOO_INIT_LIMIT: '5', ZOO_SYNC_LIMIT: '2', ZOO_AUTOPURGE_PURGEINTERVAL: '0' },
  ...{ ZOO_AUTOPURGE_SNAPRETAINCOUNT: '3', ZOO_MAX_CLIENT_CNXNS: '60', ZOO_STANDALONE_ENABLED: 'true' },
  ...{ ZOO_ADMINSERVER_ENABLED: 'true' },
});

/** The image of Kubernetes' own tutorial. */
export const tutorialFiles = (): ImageFiles =>
  shareLayer('kubernetes-zookeeper', () => {
    const home = `/opt/zookeeper-${OLD}`;
    const java = '/usr/lib/jvm/java-8-openjdk-amd64/bin';
    const server = file(zkServer(`${java}/java`, OLD, '/usr/bin/../etc/zookeeper/zoo.cfg', home), 0o755);
    const scripts = {
      'zkServer.sh': server,
      'start-zookeeper': file(START, 0o755),
      'zookeeper-ready': file(READY, 0o755),
    };
    const below = '/opt/zookeeper/bin';
    return withAccounts(
      joinLayers(
        ubuntu('22.04'),
        debianPackages('netcat-openbsd'),
        readPrograms(`${java} zookeeper java`),
        readPrograms(`${home}/bin zookeeper zkCli.sh=zookeeper:zkCli-3.4`),
        { '/opt/zookeeper': link(home), [`${home}/conf`]: owned(), '/usr/etc/zookeeper': link('/opt/zookeeper/conf') },
        { [`${home}/bin`]: owned() },
        Object.fromEntries(
          Object.entries(scripts).map(([name, node]) => [`${home}/bin/${name}`, { ...node, user: USER, group: USER }]),
        ),
        Object.fromEntries(
          ['zkCli.sh', ...Object.keys(scripts)].map((name) => [`/usr/bin/${name}`, link(`${below}/${name}`)]),
        ),
        { '/var/lib/zookeeper': directory(), '/var/lib/zookeeper/data': owned(), '/var/lib/zookeeper/log': owned() },
        { '/var/log/zookeeper': owned() },
      ),
      [['zookeeper', USER, USER, '', '/home/zookeeper', '']],
      [['zookeeper', USER]],
    );
  });
