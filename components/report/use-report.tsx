"use client";

import { type ReactNode, useState } from "react";
import { useLazyComponent } from "@/components/ui/use-lazy-component";
import type { ReportTarget } from "./target";

const loadDialog = () => import("./report-dialog").then(({ ReportDialog }) => ReportDialog);

interface Report {
  /** Opens the dialog, which loads on first use. */
  readonly open: () => void;
  readonly busy: boolean;
  /** To render. */
  readonly dialog: ReactNode;
}

/** Returns what a menu needs to report something. The focus returns to the menu's button. */
export function useReport(target: ReportTarget): Report {
  const { Component, busy, load } = useLazyComponent(loadDialog);
  const [isOpen, setOpen] = useState(false);
  return {
    open: () => load(() => setOpen(true)),
    busy,
    dialog: isOpen && Component ? <Component target={target} onClose={() => setOpen(false)} /> : null,
  };
}
