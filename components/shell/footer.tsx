import Link from "next/link";
import { useWords } from "#words";
import { footerLinks } from "./footer-links";

/** The footer of every page but those that fill the window. A server component: it adds no script and no sentences. */
export function Footer() {
  const { t } = useWords();
  return (
    <footer className="site-footer">
      <nav aria-label={t("footer.label")}>
        <ul>
          {footerLinks.map(({ href, name }) => (
            <li key={href}>
              <Link href={href} prefetch={false} className="tap">
                {t(name)}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </footer>
  );
}
