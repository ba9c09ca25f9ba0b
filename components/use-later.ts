"use client";

import { type ComponentType, useEffect, useState } from "react";
import { beginLater } from "./begin-later";

/** A component that pages do without until they have loaded. */
export interface Later<P> {
  readonly load: () => Promise<ComponentType<P>>;
  /** Once it was loaded, later pages have it at once. */
  loaded: ComponentType<P> | null;
}

/** Declares a component that loads after the page. */
export function later<P>(load: () => Promise<ComponentType<P>>): Later<P> {
  return { load, loaded: null };
}

/** Returns the component once it is there; null until then, and on the server. */
export function useLater<P>(component: Later<P>): ComponentType<P> | null {
  const [Loaded, setLoaded] = useState(() => component.loaded);
  useEffect(() => {
    if (component.loaded) return;
    return beginLater(async () => {
      component.loaded = await component.load();
      return () => {
        setLoaded(() => component.loaded);
        return () => undefined;
      };
    });
  }, [component]);
  return Loaded;
}
