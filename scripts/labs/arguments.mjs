import { Plain } from '../local/paths.mjs';

export const USAGE = `terrarium test FILE|FOLDER… [--seeds N]      tries the solution: what is asked for fails before, and holds after
terrarium apply FILE|FOLDER…                 hands labs to a service
terrarium import FOLDER [NEW FOLDER]         a scenario of Killercoda or a workshop of Educates becomes a lab
terrarium learners LAB [--count N] [NAME…]   starts learners' clusters, and shows how far all of them are

--url URL --key KEY, else TERRARIUM_URL and TERRARIUM_KEY, else the service that was started in this folder.`;

const OPTIONS = ['seeds', 'url', 'key', 'count', 'ttl'];

/** Words, and options by name. Throws Plain for an option that is not known, or has no value. */
export function parseArguments(args) {
  const words = [];
  const options = {};
  for (let i = 0; i < args.length; i++) {
    const [, name, value] = /^--([a-z]+)(?:=(.*))?$/s.exec(args[i]) ?? [];
    if (name === undefined) words.push(args[i]);
    else if (!OPTIONS.includes(name)) throw new Plain(`there is no option --${name}\n\n${USAGE}`);
    else {
      options[name] = value ?? args[++i];
      if (options[name] === undefined) throw new Plain(`--${name} needs a value`);
    }
  }
  return { words, options };
}

/** A whole number of an option, or its default. */
export function numberOf(options, name, fallback, max) {
  const text = options[name];
  if (text === undefined) return fallback;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > max) throw new Plain(`--${name} must be from 1 to ${max}`);
  return value;
}
