import { useEffect } from 'react';
import { begin, session } from '../api/session.js';
import { useStore } from '../api/store.js';
import { Waiting } from '../parts/Notice.js';
import { t } from '../texts/texts.js';
import { Embed, isEmbedded } from './Embed.js';
import { Shell } from './Shell.js';
import { SignIn } from './SignIn.js';
import { beginTheme } from './theme.js';

beginTheme(location.search);

export const App = () => (isEmbedded() ? <Embed /> : <Console />);

function Console() {
  const now = useStore(session);
  useEffect(() => void begin(), []);
  if (now.state === 'asking') return <Waiting what={t.signIn.waiting} />;
  if (now.state === 'out') return <SignIn failure={now.failure} />;
  return <Shell session={now.session} />;
}
