import { PageHeader } from "../../components/page-header.tsx";

export const DeliveriesPage = () => <PageHeader title="deliveries" />;
