export { hex, sha256 } from '../machinery/sha256.js';
