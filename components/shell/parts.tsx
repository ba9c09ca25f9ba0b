"use client";

import { PageKeys } from "@/components/keyboard/page-keys";
import { PersonCards } from "@/components/profile/person-cards";

/** Keyboard shortcuts, and cards of people. */
export function Parts() {
  return (
    <>
      <PageKeys />
      <PersonCards />
    </>
  );
}
