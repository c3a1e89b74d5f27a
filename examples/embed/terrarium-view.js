// <terrarium-view url="https://k8s.example.com" cluster="c…" view="overview" theme="dark"></terrarium-view>
//
// Shows one view of a cluster. Give it the token by its property, never by an attribute: `element.token = 'tc_…'`. It
// fires `ready`, `place` and `connection`, whose details are those of docs/CONSOLE.md, and shows another view or moment
// when its attributes change.

const PREFIX = 'terrarium:';

class TerrariumView extends HTMLElement {
  static observedAttributes = ['view', 'moment'];
  #frame;
  #token;
  #listen = (event) => this.#receive(event);

  connectedCallback() {
    addEventListener('message', this.#listen);
    this.#show();
  }

  disconnectedCallback() {
    removeEventListener('message', this.#listen);
    this.#frame?.remove();
    this.#frame = undefined;
  }

  attributeChangedCallback(name, _before, value) {
    this.#ask({ type: 'terrarium:show', [name]: value ?? '' });
  }

  /** A new one takes the place of one that ends, without a reload. */
  set token(token) {
    this.#token = token;
    if (this.#frame) this.#ask({ type: 'terrarium:token', token });
    else this.#show();
  }

  get #origin() {
    return new URL(this.getAttribute('url')).origin;
  }

  #show() {
    if (!this.isConnected || !this.#token || this.#frame) return;
    const url = new URL(`/embed/${this.getAttribute('view') || 'overview'}`, this.#origin);
    url.searchParams.set('cluster', this.getAttribute('cluster'));
    url.searchParams.set('origin', location.origin);
    for (const [attribute, name] of [
      ['theme', 'theme'],
      ['moment', 'at'],
    ])
      if (this.getAttribute(attribute)) url.searchParams.set(name, this.getAttribute(attribute));
    url.hash = `token=${this.#token}`;
    this.#frame = document.createElement('iframe');
    this.#frame.title = this.getAttribute('title') || 'Kubernetes cluster';
    this.#frame.src = url;
    this.#frame.setAttribute('style', 'width: 100%; height: 100%; border: 0; display: block');
    this.append(this.#frame);
  }

  #ask(request) {
    this.#frame?.contentWindow?.postMessage(request, this.#origin);
  }

  #receive({ origin, source, data }) {
    if (origin !== this.#origin || source !== this.#frame?.contentWindow) return;
    const type = String(data?.type ?? '');
    if (type.startsWith(PREFIX)) this.dispatchEvent(new CustomEvent(type.slice(PREFIX.length), { detail: data }));
  }
}

customElements.define('terrarium-view', TerrariumView);
