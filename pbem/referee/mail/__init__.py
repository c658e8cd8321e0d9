"""The post office: letters in and out, deadlines, the daily round."""
