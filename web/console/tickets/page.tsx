import { PageHeader } from "../../components/page-header.tsx";

export const TicketsPage = () => <PageHeader title="tickets" />;
