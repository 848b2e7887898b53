import { PageHeader } from "../../components/page-header.tsx";

export const MessagesPage = () => <PageHeader title="messages" />;
