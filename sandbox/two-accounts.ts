import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHostingSandbox, type HostingSandbox, type HostingSandboxOptions } from './hosting/sandbox.ts';
import { companyService } from './service/company-service.ts';
import type { Service } from './service/service.ts';
import { demoWorld, type World } from './world.ts';

/** What stands of an account in the file, beside its name; its own address and key unless others are said. */
interface AccountWords {
  /** Of the first account, where the bot runs a cloud. */
  readonly service?: string;
  readonly url?: string;
  readonly key?: string;
  readonly channels?: readonly string[];
  readonly default_in?: readonly string[];
  readonly people?: readonly string[];
  readonly settings?: Readonly<Record<string, string>>;
}

/** The names of the accounts: the bot's own service is the first. */
export const ACCOUNTS = ['acme', 'labs'] as const;

/** Two accounts in place of one, `acme` and `labs`, each at a company of its own. */
export interface TwoAccountsOptions {
  /** The company of labs; as that of acme unless it says otherwise. */
  readonly labs?: HostingSandboxOptions;
  /** What more the file says of each. */
  readonly words?: AccountWordsOfBoth;
}

export type AccountWordsOfBoth = Readonly<Partial<Record<(typeof ACCOUNTS)[number], AccountWords>>>;

/** The second account of a sandbox, and the file in which both stand. */
export interface SecondAccount {
  readonly hosting: HostingSandbox;
  readonly service: Service;
  /** The file that HOSTING_ACCOUNTS names. */
  readonly path: string;
  /** Writes the file again, for a bot that starts from now on. */
  write(words: AccountWordsOfBoth): void;
  close(): Promise<void>;
}

/** What the sandbox is opened with. */
interface Opened {
  readonly accounts?: TwoAccountsOptions;
  readonly hosting?: HostingSandboxOptions;
  readonly customer?: string;
}

/** Opens the second account beside the first. `first`: where that is, and its key. */
export async function openSecondAccount(
  { accounts: { labs: own, words = {} } = {}, hosting: company, customer }: Opened,
  first: { readonly url: string; readonly token: string },
): Promise<SecondAccount> {
  const over = { ...company, ...own };
  const hosting = createHostingSandbox({ ...over, world: withOtherKeys(over.world ?? demoWorld()) });
  const service = companyService(hosting, customer);
  const { url } = await service.start();
  const folder = mkdtempSync(join(tmpdir(), 'accounts-'));
  const path = join(folder, 'accounts.json');
  const write: SecondAccount['write'] = (of) => {
    const accounts = [
      { name: 'acme', url: first.url, key: first.token, ...of.acme },
      { name: 'labs', url, key: service.token, ...of.labs },
    ];
    writeFileSync(path, JSON.stringify({ accounts }), { mode: 0o600 });
  };
  write(words);
  return {
    hosting,
    service,
    path,
    write,
    close: async () => {
      await service.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The same customers, whose keys are not those of the first account: two accounts can't have one key. */
function withOtherKeys({ customers }: World): World {
  return { customers: customers.map((one) => ({ ...one, apiKey: `${one.apiKey}_labs` })) };
}
