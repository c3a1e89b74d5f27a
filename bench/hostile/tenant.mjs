// A hostile tenant in a process of its own. Args: port, key, act. Says 'ready' when the act is under way; ends with its
// parent's channel.
import os from 'node:os';
import { Client } from '../service/http.mjs';
import { ACTS } from './acts.mjs';

const CONNECTIONS = 200;

// Attackers are other machines in life. Here they share the service's cores, and must not win them from the service and
// from the neighbour's client: what is measured is the service's fairness, not the operating system's.
os.setPriority(os.constants.priority.PRIORITY_LOW);

const [port, key, name] = process.argv.slice(2);
const act = ACTS[name];
const client = new Client({ port: Number(port), key }, CONNECTIONS);
process.on('disconnect', () => process.exit());

const ids = [];
for (let i = 0; i < act.clusters; i++) ids.push((await client.cluster({ nodes: 3, speed: 'instant' })).id);
process.send({ ids });
await act.run({ client, port: Number(port), key, ids });
process.send('ready');
setInterval(() => undefined, 60_000);
