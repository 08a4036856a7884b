import { KEYS, ORGANIZATIONS, type Sandbox } from '../../sandbox/index.mts';

/** The two accounts of a storm. */

interface Account {
	organization: string;
	key: string;
}

export const ACCOUNTS = {
	/** Whose events the storm delivers. */
	first: { organization: ORGANIZATIONS.parent, key: KEYS.full },
	/** The one that the workflow uses for a while. */
	other: { organization: ORGANIZATIONS.child, key: KEYS.childFull },
} satisfies Record<string, Account>;

export type AccountName = keyof typeof ACCOUNTS;

/** Makes the sandbox's organizations strangers: neither of them sees what belongs to the other. */
export function separateAccounts({ world }: Sandbox): void {
	world.parent = 'or_nobody';
}

/** The sandbox as a client of an account calls it. */
export const asAccount = ({ url, keys }: Sandbox, name: AccountName) => ({
	url,
	keys: { ...keys, full: ACCOUNTS[name].key },
});
