import { Suspense, useEffect, useRef, useState, type ReactNode } from 'react';
import { graphql } from '../../api/connection.js';
import type { Session } from '../../api/session.js';
import { signOut } from '../../api/session.js';
import { useStore } from '../../api/store.js';
import { Button, IconButton } from '../../parts/Button.js';
import { Icon } from '../../parts/Icon.js';
import { Menu } from '../../parts/menu/Menu.js';
import { EmptyState } from '../../parts/Notice.js';
import { findOpener, focusAgain } from '../../parts/opener.js';
import { visible } from '../../parts/text.js';
import { t } from '../../texts/texts.js';
import { findView, VIEWS, type View } from '../../views/views.js';
import { ConnectionState } from './ConnectionState.js';
import { LiveCluster, useCluster } from '../cluster-context.js';
import { paletteOpen, shortcutsOpen } from './commands.js';
import { Fence } from './Fence.js';
import { lazyPart } from '../routing/load-patiently.js';
import { parseRoute, topHref } from '../routing/route.js';
import { Link, navigate, useClusterHref, useMoment, useRoute } from '../routing/router.js';
import { chooseTheme, nextTheme, theme } from '../theme.js';
import { Toasts } from './Toasts.js';
import { ViewFrame } from './ViewFrame.js';

const Shortcuts = lazyPart<object>(() => import('./Shortcuts.js'));
const Palette = lazyPart<object>(() => import('./Palette.js'));
const TimeBar = lazyPart<object>(
  () => import('../../parts/time/TimeBar.js').then(({ TimeBar: bar }) => ({ default: bar })),
  parseRoute(location.pathname).place === 'cluster',
);
const THEME_ICONS = { system: 'contrast', light: 'sun', dark: 'moon' } as const;

/** The frame around every view: where one is, what there is, and how the connection does. */
export function Shell({ session }: { readonly session: Session }) {
  const route = useRoute();
  const isOperator = session.kind === 'operator';
  useKeys();
  // Whether the server is there is told in every view, also in one that asks for nothing, and before a view has come.
  useEffect(() => void graphql(), []);
  // The operator has no clusters of its own.
  const id = isOperator && route.view === 'clusters' ? 'operator' : route.view;
  const view = route.place === 'embed' ? undefined : findView(route.place, id);
  const content =
    view && (view.who === 'operator') === isOperator ? <ViewFrame view={view} rest={route.rest} /> : <Nowhere />;
  return (
    <>
      <a className="skip" href="#content">
        {t.common.skip}
      </a>
      {route.place === 'cluster' && !isOperator ? (
        <LiveCluster
          key={route.clusterId}
          clusterId={route.clusterId}
          frame={(shown) => <Frame session={session}>{shown}</Frame>}
        >
          <Frame session={session} crumbs={<ClusterCrumb />} nav={<ClusterViews active={id} />} foot={<Foot />}>
            {content}
          </Frame>
        </LiveCluster>
      ) : (
        <Frame session={session} nav={isOperator ? undefined : <TopViews active={id} />}>
          {content}
        </Frame>
      )}
      <Toasts />
      <PaletteHost />
      <ShortcutsHost />
    </>
  );
}

interface FrameProps {
  readonly session: Session;
  readonly crumbs?: ReactNode;
  readonly nav?: ReactNode;
  readonly foot?: ReactNode;
  readonly children: ReactNode;
}

const Frame = ({ session, crumbs, nav, foot, children }: FrameProps) => (
  <div className={`shell ${nav ? 'with-nav' : ''}`}>
    <header className="bar">
      <Link className="brand" href="/">
        <Icon name="clusters" size={18} />
        {t.shell.brand}
      </Link>
      {crumbs}
      <span className="space" />
      <ConnectionState />
      <button type="button" className="search-button" onClick={() => paletteOpen.set(true)}>
        <Icon name="search" />
        <span>{t.shell.search}</span>
        <kbd>Ctrl K</kbd>
      </button>
      <ThemeButton />
      <AccountMenu session={session} />
    </header>
    {nav}
    <main id="content" tabIndex={-1}>
      {children}
    </main>
    {foot}
  </div>
);

/** The time of the cluster, below every view of it. */
const Foot = () => (
  <Fence>
    <Suspense fallback={null}>
      <TimeBar />
    </Suspense>
  </Fence>
);

function ClusterCrumb() {
  const { cluster } = useCluster();
  const [at, setAt] = useMoment();
  return (
    <>
      <Icon name="right" size={12} />
      <span className="crumb">{visible(cluster.name)}</span>
      <span className={`state ${cluster.state}`}>{t.clusters.states[cluster.state]}</span>
      {at && (
        <span className="past">
          <Icon name="time" />
          {t.shell.past(visible(at))}
          <Button onClick={() => setAt(undefined)}>{t.shell.present}</Button>
        </span>
      )}
    </>
  );
}

function ClusterViews({ active }: { readonly active: string }) {
  const { clusterId, cluster } = useCluster();
  const href = useClusterHref(clusterId);
  return (
    <nav className="views" aria-label={t.shell.views}>
      {VIEWS.filter(({ place, isOf }) => place === 'cluster' && (isOf?.(cluster) ?? true)).map((view) => (
        <ViewLink key={view.id} view={view} href={href(view.id)} active={active} />
      ))}
    </nav>
  );
}

const TopViews = ({ active }: { readonly active: string }) => (
  <nav className="views" aria-label={t.shell.views}>
    {VIEWS.filter(({ place, who }) => place === 'top' && who === undefined).map((view) => (
      <ViewLink key={view.id} view={view} href={topHref(view.id)} active={active} />
    ))}
  </nav>
);

function ViewLink({ view, href, active }: { readonly view: View; readonly href: string; readonly active: string }) {
  const isActive = view.id === active;
  const label = useRef<HTMLSpanElement>(null);
  // On a phone the links are a line that is pushed aside by a finger: the one that is shown is in sight.
  useEffect(() => {
    if (isActive) label.current?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [isActive]);
  return (
    <Link href={href} aria-current={isActive ? 'page' : undefined}>
      <Icon name={view.icon} />
      <span ref={label}>{t.views[view.id]}</span>
    </Link>
  );
}

function ThemeButton() {
  const now = useStore(theme);
  return <IconButton icon={THEME_ICONS[now]} label={t.shell.theme[now]} onClick={() => chooseTheme(nextTheme(now))} />;
}

const AccountMenu = ({ session }: { readonly session: Session }) => (
  <Menu
    trigger={
      <IconButton
        icon="user"
        label={t.shell.signedInAs(visible(session.userName ?? t.shell.operator), session.scope)}
      />
    }
    items={[{ title: t.shell.signOut, run: () => void signOut() }]}
  />
);

function Nowhere() {
  return (
    <EmptyState icon="search" title={t.common.notFound}>
      <Button tone="main" onClick={() => navigate(topHref('clusters'))}>
        {t.common.home}
      </Button>
    </EmptyState>
  );
}

/** After what somebody came for; before it is opened, so that nothing that is typed then is lost. */
const PALETTE_MS = 2_000;

function PaletteHost() {
  useEffect(() => {
    const timer = setTimeout(() => void Palette.preload(), PALETTE_MS);
    return () => clearTimeout(timer);
  }, []);
  const isOpen = useStore(paletteOpen);
  return isOpen ? <OpenPalette /> : null;
}

function OpenPalette() {
  const [opener] = useState(findOpener);
  // After the palette has given the focus away.
  useEffect(() => () => void setTimeout(() => focusAgain(opener)), [opener]);
  return (
    <Fence>
      <Suspense fallback={null}>
        <Palette />
      </Suspense>
    </Fence>
  );
}

const ShortcutsHost = () =>
  useStore(shortcutsOpen) ? (
    <Suspense fallback={null}>
      <Shortcuts />
    </Suspense>
  ) : null;

/** What is typed there is text. */
const TYPED = 'input, textarea, select, [contenteditable="true"]';

function useKeys(): void {
  useEffect(() => {
    const open = (event: KeyboardEvent): void => {
      const isHelp = event.key === '?' && !(event.target as Element).closest(TYPED);
      if (isHelp && !event.ctrlKey && !event.metaKey && !event.altKey) return shortcutsOpen.set(true);
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey)
        return;
      event.preventDefault();
      paletteOpen.set(!paletteOpen.get());
    };
    window.addEventListener('keydown', open);
    return () => window.removeEventListener('keydown', open);
  }, []);
}
