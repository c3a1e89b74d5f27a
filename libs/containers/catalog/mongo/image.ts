import { databaseFiles } from '../databases.js';
import { serverImage, utc } from '../../programs/server.js';

export const image = serverImage(
  {
    names: ['mongo', 'bitnami/mongodb', 'mongodb/mongodb-community-server'],
    tags: /^(latest|[3-8](\.\d){0,1}(\.\d{1,2})?)(-[a-z0-9.-]+)?$/,
    layersMB: [29.5, 1.5, 14.2, 255.1],
    files: databaseFiles('mongo'),
    variant: (tag) => ({ files: databaseFiles('mongo', tag) }),
    config: { exposedPorts: [27017], entrypoint: ['docker-entrypoint.sh'], cmd: ['mongod'] },
  },
  {
    ports: [27017],
    readyAfterMs: 1500,
    stop: { afterMs: 300, code: 0 },
    log: ({ at }) => [
      `{"t":{"$date":"${utc(at).iso.replace('Z', '+00:00')}"},"s":"I",  "c":"CONTROL",  "id":4615611, "ctx":"initandlisten","msg":"MongoDB starting","attr":{"pid":1,"port":27017,"dbPath":"/data/db","architecture":"64-bit"}}`,
      `{"t":{"$date":"${utc(at).iso.replace('Z', '+00:00')}"},"s":"I",  "c":"NETWORK",  "id":23016,   "ctx":"listener","msg":"Waiting for connections","attr":{"port":27017,"ssl":"off"}}`,
    ],
  },
);
