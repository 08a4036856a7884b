import { asObject, asText } from '../../values/json';
import { nameFrom, pagedSearch } from '../shared/lists';
import { personName } from '../shared/output';

/** Lists the notarization records, page by page, by day, signer and notary. */
export const searchRecords = pagedSearch({
	name: 'listRecords',
	toChoice: ({ id, meeting_start: start, notary_name: notary, signer_info: info }) => {
		const signer = asObject(info);
		const value = asText(id);
		const day = asText(start)?.slice(0, 10);
		const name = personName(signer) ?? asText(signer.email);
		return { name: nameFrom([day, name, asText(notary)], value), value };
	},
});
