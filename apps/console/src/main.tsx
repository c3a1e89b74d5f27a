import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/App.js';
import { styleNonce } from './app/nonce.js';
import './app/theme.css';
import './parts/parts.css';

// Where Radix' lock of the scrolling looks for the nonce of the style that it puts into the page.
Object.assign(globalThis, { __webpack_nonce__: styleNonce() });

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
