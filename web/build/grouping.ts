/**
 * Merges small chunks, so that pages load fewer files. By default, the bundler makes one chunk per
 * set of pages: about a hundred for some pages. Pure.
 */

/** A chunk of the bundler: modules that the same pages need. */
export type Atom = Readonly<{
  /** Ids of its modules. */
  modules: readonly string[];
  bytes: number;
  /** Indexes of the imported atoms. */
  imports: readonly number[];
  /** Indexes of the pages that need it initially. */
  pages: readonly number[];
  /** An entry point, which stays a file of its own. */
  isEntry: boolean;
}>;

export type PageLimits = Readonly<{
  maxFiles: number;
  /** Budget of each page, in the same unit as the atoms. */
  maxBytes: readonly number[];
}>;

type Group = {
  readonly modules: string[];
  bytes: number;
  readonly imports: Set<Group>;
  readonly pages: Set<number>;
  readonly isEntry: boolean;
};

type Merge = Readonly<{ into: Group; from: Group; cost: number }>;

type Loads = ReturnType<typeof loadsOf>;

/** A group with all its imports. */
type Candidate = Readonly<{ group: Group; whole: ReadonlySet<Group> }>;

/** Greedy: applies the cheapest merge until no page has too many files, or no merge is left. */
export function groupAtoms(atoms: readonly Atom[], limits: PageLimits): string[][] {
  const groups = toGroups(atoms);
  for (;;) {
    const loads = loadsOf(groups, limits.maxBytes.length);
    if (loads.files.every((count) => count <= limits.maxFiles)) {
      break;
    }
    const found = findMerge(groups, loads, limits);
    if (found === undefined) {
      break;
    }
    merge(groups, found);
  }
  return [...groups]
    .filter(({ isEntry, pages }) => !isEntry && pages.size > 0)
    .map(({ modules }) => modules);
}

function toGroups(atoms: readonly Atom[]): Set<Group> {
  const groups = atoms.map(({ modules, bytes, pages, isEntry }) => ({
    ...{ modules: [...modules], bytes, isEntry },
    ...{ imports: new Set<Group>(), pages: new Set(pages) },
  }));
  for (const [index, { imports }] of atoms.entries()) {
    for (const imported of imports) {
      const [group, other] = [groups[index], groups[imported]];
      if (group !== undefined && other !== undefined && other !== group) {
        group.imports.add(other);
      }
    }
  }
  return new Set(groups);
}

/** The groups that each page loads. */
function loadsOf(groups: ReadonlySet<Group>, pageCount: number) {
  const files = Array.from({ length: pageCount }, () => 0);
  const bytes = Array.from({ length: pageCount }, () => 0);
  for (const group of groups) {
    for (const page of group.pages) {
      files[page] = (files[page] ?? 0) + 1;
      bytes[page] = (bytes[page] ?? 0) + group.bytes;
    }
  }
  return { files, bytes };
}

/**
 * The cheapest merge. The cost without imports is a lower bound, and fast to compute for all pairs;
 * the cost with imports is computed for the most promising ones.
 */
function findMerge(groups: ReadonlySet<Group>, loads: Loads, limits: PageLimits) {
  const candidateOf = createCandidates();
  let best: Merge | undefined;
  for (const { into, from, cost: least } of guessMerges(groups, loads, limits)) {
    if (best !== undefined && least >= best.cost) {
      break;
    }
    const cost = costOf([candidateOf(into), candidateOf(from)], loads, limits);
    if (isBetter(cost, best) && !wouldBeCircular(into, from)) {
      best = { into, from, cost };
    }
  }
  return best;
}

/** Follows the imports of each group once. */
function createCandidates(): (group: Group) => Candidate {
  const candidates = new Map<Group, Candidate>();
  return (group) => {
    const candidate = candidates.get(group) ?? { group, whole: closureOf(group) };
    candidates.set(group, candidate);
    return candidate;
  };
}

/** All pairs with their cost without imports, cheapest first. */
function guessMerges(groups: ReadonlySet<Group>, loads: Loads, limits: PageLimits): Merge[] {
  const open = [...groups].filter(({ isEntry, pages }) => !isEntry && pages.size > 0);
  const guesses: Merge[] = [];
  for (const [index, into] of open.entries()) {
    for (const from of open.slice(index + 1)) {
      const cost = leastCostOf(into, from, loads, limits);
      if (cost !== undefined) {
        guesses.push({ into, from, cost });
      }
    }
  }
  return guesses.toSorted((a, b) => a.cost - b.cost);
}

/** The cost of a merge without the groups' imports. Allocates nothing: it runs a million times. */
function leastCostOf(a: Group, b: Group, loads: Loads, limits: PageLimits): number | undefined {
  let saved = 0;
  let wasted = 0;
  for (const page of a.pages) {
    if (b.pages.has(page)) {
      saved += weightOfFile(page, loads, limits);
    } else {
      wasted += wasteOf(b.bytes, page, loads, limits);
    }
  }
  for (const page of b.pages) {
    if (!a.pages.has(page)) {
      wasted += wasteOf(a.bytes, page, loads, limits);
    }
  }
  return ratioOf(wasted, saved);
}

/**
 * Unneeded bytes per saved file on pages with too many files; undefined if a budget would be
 * exceeded, or nothing is saved.
 */
function costOf(
  pair: readonly [Candidate, Candidate],
  loads: Loads,
  limits: PageLimits,
): number | undefined {
  let saved = 0;
  let wasted = 0;
  for (const page of new Set(pair.flatMap(({ group }) => [...group.pages]))) {
    const { bytes, files } = extraOf(page, pair);
    saved -= files * weightOfFile(page, loads, limits);
    wasted += wasteOf(bytes, page, loads, limits);
  }
  return ratioOf(wasted, saved);
}

function ratioOf(wasted: number, saved: number): number | undefined {
  return saved < 0.1 || wasted === Number.POSITIVE_INFINITY ? undefined : wasted / saved;
}

/** What one file less is worth on this page. */
function weightOfFile(page: number, { files }: Loads, { maxFiles }: PageLimits): number {
  return (files[page] ?? 0) > maxFiles ? 1 : 0.1;
}

/** Bytes weigh more on pages close to their budget, and infinitely beyond it. */
function wasteOf(bytes: number, page: number, loads: Loads, { maxBytes }: PageLimits): number {
  if (bytes === 0) {
    return 0;
  }
  const room = (maxBytes[page] ?? 0) - (loads.bytes[page] ?? 0);
  return bytes > room ? Number.POSITIVE_INFINITY : bytes * (1 + (20 * bytes) / room);
}

/** Additional groups that a page with one of the two would load. */
function extraOf(page: number, [a, b]: readonly [Candidate, Candidate]) {
  let bytes = 0;
  let files = -1; // merging saves one file on pages that need both
  for (const group of (a.group.pages.has(page) ? b : a).whole) {
    if (!group.pages.has(page)) {
      bytes += group.bytes;
      files++;
    }
  }
  return { bytes, files };
}

function isBetter(cost: number | undefined, best: Merge | undefined): cost is number {
  return cost !== undefined && (best === undefined || cost < best.cost);
}

/** Whether one imports the other through a third: merging would create a cycle. */
function wouldBeCircular(a: Group, b: Group): boolean {
  return (
    closureOf(a, (imported) => imported === b).has(b) ||
    closureOf(b, (imported) => imported === a).has(a)
  );
}

/** Pages that need one of the two then load both, with all imports. */
function merge(groups: Set<Group>, { into, from }: Merge): void {
  into.modules.push(...from.modules);
  into.bytes += from.bytes;
  from.imports.forEach((group) => into.imports.add(group));
  from.pages.forEach((page) => into.pages.add(page));
  into.imports.delete(from);
  into.imports.delete(into);
  groups.delete(from);
  for (const group of groups) {
    if (group.imports.delete(from) && group !== into) {
      group.imports.add(into);
    }
  }
  for (const imported of closureOf(into)) {
    into.pages.forEach((page) => imported.pages.add(page));
  }
}

/** A group with all direct and transitive imports. */
function closureOf(group: Group, isLeftOut: (imported: Group) => boolean = () => false) {
  const found = new Set([group]);
  const left = [...group.imports].filter((imported) => !isLeftOut(imported));
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (!found.has(next)) {
      found.add(next);
      left.push(...next.imports);
    }
  }
  return found;
}
