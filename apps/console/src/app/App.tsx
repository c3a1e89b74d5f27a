import { begin, session } from '../api/session.js';
import { createStore, useStore } from '../api/store.js';
import { Waiting } from '../parts/Notice.js';
import { t } from '../texts/texts.js';
import { Embed, isEmbedded } from './embed/Embed.js';
import { Shell } from './shell/Shell.js';
import { SignIn } from './SignIn.js';
import { beginTheme } from './theme.js';
import { askForPage } from './routing/ask-for-page.js';
import { preloadView } from './shell/ViewFrame.js';

beginTheme(location.search);
// Before anything is rendered, and at once: who it is, and the code of what is to be shown.
const isLoaded = createStore(false);
void preloadView(location.pathname).then(() => isLoaded.set(true));
if (!isEmbedded()) {
  void begin();
  askForPage(location.pathname, location.search);
}

export function App() {
  const isReady = useStore(isLoaded);
  if (isEmbedded()) return isReady ? <Embed /> : <Waiting what={t.common.loading} />;
  return <Console isReady={isReady} />;
}

function Console({ isReady }: { readonly isReady: boolean }) {
  const now = useStore(session);
  if (now.state === 'asking') return <Waiting what={t.signIn.waiting} />;
  if (now.state === 'out') return <SignIn failure={now.failure} />;
  return isReady ? <Shell session={now.session} /> : <Waiting what={t.common.loading} />;
}
