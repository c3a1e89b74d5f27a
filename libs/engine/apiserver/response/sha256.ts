export { hex, sha256 } from '../../machinery/crypto/sha256.js';
