import { getOwnValue } from '../values/json';

/* What the editor calls what the service has names for. */

/** Names whose words don't say it, or that would be a second word for the same thing. */
const TITLES: Record<string, string> = {
	address_line1: 'Address Line 1',
	address_line2: 'Address Line 2',
	address_zip5: 'Zip Code (5 Digits)',
	cc_recipient_emails: 'CC Recipients',
	dob: 'Date of Birth',
	esign_complete: 'eSign Complete',
	expiry: 'Expiration',
	identify_complete_idv_failed: 'Identity Check Failed',
	identify_complete_idv_passed: 'Identity Check Passed',
	sent_to_closing_ops: 'Sent to Closing Team',
	transaction_access_link: 'Signing Link',
};

/** Words that begin with a capital only at the beginning and the end of a title. */
const SMALL_WORD = /^(?:an?|and|as|at|by|for|in|of|on|or|per|the|to|with)$/;

/** Turns a name of the service into a title: `title_agent` becomes Title Agent. */
export function toTitle(name: string): string {
	return getOwnValue(TITLES, name) ?? name.split(/[_ ]/).map(formatWord).join(' ');
}

function formatWord(word: string, index: number, { length }: string[]): string {
	if (word === 'id' || word === 'cc') return word.toUpperCase();
	if (SMALL_WORD.test(word) && index > 0 && index < length - 1) return word;
	return word.charAt(0).toUpperCase() + word.slice(1);
}
