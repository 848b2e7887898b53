import { PageHeader } from "../../components/page-header.tsx";

export const MeetingsPage = () => <PageHeader title="meetings" />;
