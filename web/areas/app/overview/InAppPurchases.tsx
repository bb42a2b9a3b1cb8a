import { Fact, Measured } from '../../../evidence/Fact.tsx'
import { DataTable } from '../../../ui/DataTable.tsx'
import { Empty, Panel } from '../../../ui/parts.tsx'
import type { AppRecord } from '../app-record.ts'

/** What can be bought inside the app, as the listing shows it. */
export function InAppPurchases({ record: { inAppPurchases, evidence } }: { record: AppRecord }) {
  return (
    <Panel title="In-app purchases" flush={inAppPurchases.state === 'measured'}>
      {inAppPurchases.state === 'measured' ? (
        <DataTable
          label="In-app purchases"
          rows={inAppPurchases.value}
          rowId={({ name, price }) => `${name} ${price}`}
          columns={[
            { id: 'name', name: 'Name', value: ({ name }) => name, cell: ({ name }) => <bdi>{name}</bdi> },
            {
              id: 'price',
              name: 'Price',
              align: 'end',
              width: 120,
              cell: ({ price }) => (
                <Measured evidence={evidence[inAppPurchases.evidence]}>
                  <bdi>{price}</bdi>
                </Measured>
              ),
            },
          ]}
          empty={<Empty title="None shown" />}
        />
      ) : (
        <Fact fact={inAppPurchases} evidence={evidence} absent="offers none" format={() => null} />
      )}
    </Panel>
  )
}
