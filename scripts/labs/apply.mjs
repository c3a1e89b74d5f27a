import { findLabs, readSource } from './folder.mjs';
import { openService } from './service.mjs';
import { Plain } from '../local/paths.mjs';

/** `terrarium apply`: hands labs to a service, which prepares their clusters. */
export async function run({ words, options }) {
  if (words.length === 0) throw new Plain('name a lab: terrarium apply FILE|FOLDER…');
  const ask = openService(options);
  for (const file of words.flatMap(findLabs)) {
    const source = await readSource(file);
    const { name, steps, checks } = await ask('PUT', `/v1/labs/${source.metadata.name}`, source);
    console.log(`lab ${name} is ready: ${steps} steps, ${checks} checks`);
  }
  return 0;
}
