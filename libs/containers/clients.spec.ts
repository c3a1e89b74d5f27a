import { expect, test } from '@jest/globals';
import { Pods, Services } from '../engine/kinds/index.js';
import { ClusterBed } from '../testkit/beds/cluster-bed.js';

interface Server {
  readonly image: string;
  readonly port: number;
  readonly env: readonly { readonly name: string; readonly value: string }[];
}

const SERVERS: Readonly<Record<string, Server>> = {
  postgres: { image: 'postgres:16', port: 5432, env: [{ name: 'POSTGRES_PASSWORD', value: 'x' }] },
  mysql: { image: 'mysql:8.4', port: 3306, env: [{ name: 'MYSQL_ROOT_PASSWORD', value: 'x' }] },
  redis: { image: 'redis:7', port: 6379, env: [] },
  mongo: { image: 'mongo:7', port: 27017, env: [] },
};
const PASSWORD = [{ name: 'PGPASSWORD', value: 'x' }];

/** A server's work takes time: a client that waits for it ends when it has its answer, though nobody looks. */
test.each<[string, string, number]>([
  ['postgres', 'psql -h db -U postgres -c "select 1"', 0],
  [
    'postgres',
    'sleep 3; pg_dump -h db -U postgres > /tmp/dump && psql -h db -U postgres -c "create table t(a int)"',
    0,
  ],
  ['postgres', 'psql -h db -U postgres -c "select * from none"', 1],
  ['mysql', 'mysql -h db -uroot -px -e "select 1"', 0],
  ['redis', 'redis-cli -h db set a 1', 0],
  ['mongo', 'mongosh --host db --eval "db.a.insertOne({b: 1})"', 0],
])('a client of %s in another pod ends: %s', (name, script, code) => {
  const { image, port, env } = SERVERS[name]!;
  const bed = new ClusterBed();
  bed.create(Pods, 'db', { spec: { containers: [{ name: 'c', image, env }] } }, { labels: { app: 'db' } });
  bed.create(Services, 'db', { spec: { selector: { app: 'db' }, ports: [{ port }] } });
  bed.at(60);
  const client = { name: 'c', image, env: PASSWORD, command: ['sh', '-c', script] };
  bed.create(Pods, 'client', { spec: { restartPolicy: 'Never', containers: [client] } });
  bed.at(90);
  const { containerStatuses } = bed.get(Pods, 'client').status!;
  expect(containerStatuses?.[0]?.state?.terminated?.exitCode).toBe(code);
  expect(bed.errors).toEqual([]);
});
