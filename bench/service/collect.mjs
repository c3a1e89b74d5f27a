// Loaded into the service's processes: at SIGUSR2 one collects its garbage and writes down what is left, so that growth
// is not hidden in garbage.
import fs from 'node:fs';
import path from 'node:path';
import v8 from 'node:v8';
import vm from 'node:vm';

const folder = process.env.BENCH_MEMORY;

if (folder) {
  v8.setFlagsFromString('--expose-gc');
  const collect = vm.runInNewContext('gc');
  process.on('SIGUSR2', () => {
    collect();
    collect();
    const { heapUsed, external, rss } = process.memoryUsage();
    fs.writeFileSync(path.join(folder, `${process.pid}.new`), JSON.stringify({ used: heapUsed + external, rss }));
    fs.renameSync(path.join(folder, `${process.pid}.new`), path.join(folder, `${process.pid}.json`));
  });
}
