import { asText } from '../../values/json';
import { currentPlatform, nameFrom, readOrKept, wholeSearch } from '../shared/lists';
import { personName } from '../shared/output';
import { listNotaries } from './api';

/** Lists the notaries of the platform. */
export const searchNotaries = wholeSearch(async (context, connect) => {
	const service = await connect();
	const isBusiness = context.getCurrentNodeParameter('operation') === 'create';
	const platform = isBusiness ? 'business' : currentPlatform(context);
	const { organizationId } = service.settings;
	const notaries = await readOrKept(
		service,
		['notaries', platform],
		async () => await listNotaries(service, { platform, organizationId }),
	);
	return notaries.map((notary) => ({
		name: nameFrom([
			asText(notary.name) ?? personName(notary) ?? String(notary.id),
			asText(notary.us_state_abbr),
		]),
		value: asText(notary.id),
	}));
});
